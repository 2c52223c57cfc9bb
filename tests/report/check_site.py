#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site (target docs_site), checks its links, and opens a copy of its folder in Chromium.

Usage: check_site.py BUILD [--keep FOLDER]   ends with 77 where mkdocs or a browser is missing. --keep leaves screenshots.
"""
import html
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from browser import Browser, address, check, finish


ROOT = pathlib.Path(__file__).resolve().parents[2]


class Page(html.parser.HTMLParser):
    """The ids, links and loaded files of a page."""

    def __init__(self, file):
        super().__init__()
        self.ids, self.links, self.loaded = {""}, [], []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids |= {values.get("id"), values.get("name")} - {None}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        source = values.get("src") or (values.get("href") if tag == "link" and values.get("rel") != "canonical" else None)
        if source:
            self.loaded.append(source)


def link_errors(site):
    """What is wrong with the links, anchors and loaded files of the pages, and the numbers of pages and links."""
    pages = {file: Page(file) for file in site.rglob("*.html") if not file.is_relative_to(site / "cpp")}
    reference, wrong, count = {}, [], 0
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # whose links are those of a server's root
        name = file.relative_to(site)
        for link in page.links + page.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    wrong.append(f"{name} loads {link}")
                continue
            count += 1
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if not target.is_relative_to(site) or not target.exists():
                wrong.append(f"{name}: {link} does not exist")
            elif target.suffix == ".html" and parts.fragment:
                to = pages.get(target) or reference.setdefault(target, Page(target))
                if urllib.parse.unquote(parts.fragment) not in to.ids:
                    wrong.append(f"{name}: {link}: no such anchor")
    return wrong, len(pages), count


def outputs_lost(site, root):
    """Outputs of commands (blocks marked text) that a page of the site does not show as they are: a number is no formula."""
    lost = []
    for page in sorted((root / "docs").rglob("*.md")):
        made = site / page.relative_to(root / "docs").with_suffix(".html")
        blocks = re.findall(r"^```text\n(.*?)^```$", page.read_text(encoding="utf-8"), re.S | re.M)
        if not blocks or not made.exists():
            continue
        shown = [html.unescape(re.sub(r"<[^>]*>", "", code)).strip()
                 for code in re.findall(r"<pre>(.*?)</pre>", made.read_text(encoding="utf-8"), re.S)]
        lost += [f"{made.name}: {block[:60]}" for block in blocks if block.strip() not in shown]
    return lost


PLANTED = """<h1 id="here">A page</h1><a href="none.html">1</a><a href="#none">2</a><script src="https://example.org/a.js"></script>
<link rel="stylesheet" href="//example.org/a.css"><img src="../outside.png"><a href="#here">right</a>"""


def check_planted(folder):
    (folder / "page.html").write_text(PLANTED, encoding="utf-8")
    wrong, _, _ = link_errors(folder)
    check(len(wrong) == 5, f"five planted faults are found: {wrong}")


def inside(requests, site):
    return all(url.startswith((site.as_uri(), "data:", "blob:", "about:")) for url in requests)


def wait_for_page(browser):
    browser.until(lambda: browser.script("document.readyState") == "complete", "a page")


def check_search(browser, site):
    """From a folder, where a browser reads no JSON."""
    browser.driver.get(address(site / "index.html"))
    wait_for_page(browser)
    field = browser.all(".md-search__input")[0]
    browser.script("document.querySelector('.md-search__input').focus()")
    field.send_keys("permutahedron")
    browser.until(lambda: len(browser.all(".md-search-result__item")) > 0, "a result of the search")
    found = browser.script("[...document.querySelectorAll('.md-search-result__link')].map(a => a.href)")
    check(any("set-permutahedron.html" in link for link in found), f"the search finds the page of a component: {found[:3]}")
    check(inside(browser.requests(), site), "the search asks for nothing outside of the folder")
    check(browser.complaints() == [], "console without errors after a search")


def check_page(browser, site, name, keep):
    browser.size(1280, 900)
    for scheme in ("light", "dark"):
        browser.media(scheme=scheme)
        browser.driver.get(address(site / name))
        wait_for_page(browser)
        browser.script("localStorage.clear()")  # the colours that a reader chose
        browser.driver.get(address(site / name))
        wait_for_page(browser)
        asked = browser.requests()
        check(inside(asked, site), f"{name}: asks for files of the folder alone: {[u for u in asked if not inside([u], site)]}")
        complaints = browser.complaints()
        check(complaints == [], f"{name}: console without errors: {complaints}")
        if browser.all(".md-typeset p"):
            check(browser.contrast(".md-typeset p") > 7, f"{name}, {scheme}: contrast of prose {browser.contrast('.md-typeset p'):.1f}")
        background = browser.script("getComputedStyle(document.body).backgroundColor")
        if not name.startswith("cpp/"):
            light = sum(int(v) for v in background[4:-1].split(",")) > 380
            check(light == (scheme == "light"), f"{name}: {scheme} colours, on {background}")
        if keep:
            browser.picture(keep / f"{name.replace('/', '-')}-{scheme}.png", 1280)
    browser.media()
    browser.size(390, 844, True)
    browser.driver.get(address(site / name))
    wait_for_page(browser)
    if not name.startswith("cpp/"):
        check(browser.script("document.documentElement.scrollWidth <= innerWidth + 1"), f"{name}: nothing is wider than a phone")
        whole = "[...document.querySelectorAll('pre.wraps > code')].every(c => c.scrollWidth <= c.clientWidth + 1)"
        check(browser.script(whole), f"{name}: commands are seen whole on a phone")


def check_formulas(browser, site):
    browser.driver.get(address(site / "components/set-l1-ball.html"))
    wait_for_page(browser)
    sizes = browser.script("[...document.querySelectorAll('math')].map(m => m.getBoundingClientRect().height)")
    check(len(sizes) >= 4 and min(sizes) > 8, f"formulas have a height: {sizes}")
    below = browser.script("(() => { const [base, index] = document.querySelector('math[alttext^=\"||x||\"] msub').children; "
                           "return index.getBoundingClientRect().bottom - base.getBoundingClientRect().bottom; })()")
    check(below > 1, f"the index of a norm stands below it: {below}")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    keep = pathlib.Path(sys.argv[3]).resolve() if "--keep" in sys.argv else None
    done = subprocess.run(["cmake", "--build", str(build), "--target", "docs_site"], capture_output=True, text=True)
    if "unknown target" in done.stdout + done.stderr:
        print("skipped: mkdocs or doxygen was not installed when the build was configured")
        sys.exit(77)
    if "Unrecognised theme" in done.stdout or "mkdocstrings" in done.stdout and "not installed" in done.stdout:
        print("skipped: mkdocs-material or mkdocstrings-python-handlers is not installed")
        sys.exit(77)
    check(done.returncode == 0, f"the site is built: {done.stdout[-2000:]}")
    built = build / "share/doc/claros/site"
    wrong, pages, links = link_errors(built)
    for what in wrong:
        check(False, what)
    check(pages > 180 and links > 5000, f"{pages} pages with {links} links")
    print(f"{pages} pages, {links} links within the site")
    check(not (lost := outputs_lost(built, ROOT)), f"outputs are shown as they are, not as formulas: {lost}")
    with tempfile.TemporaryDirectory() as name:
        check_planted(pathlib.Path(name).resolve())
    with tempfile.TemporaryDirectory() as name, Browser("--hide-scrollbars") as browser:
        site = pathlib.Path(name).resolve() / "a copy"
        shutil.copytree(built, site)
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        for page in ("index.html", "guides/which-method.html", "examples/gallery/index.html", "components/estimator-saga.html",
                     "guides/compose/stopping.html", "papers/qlx/figure1.html", "python/linear.html", "components/compositions.html",
                     "cpp/index.html"):
            check_page(browser, site, page, keep)
        browser.size(1280, 900)
        check_formulas(browser, site)
        check_search(browser, site)
    finish()


main()
