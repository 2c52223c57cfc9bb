#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Opens pages of claros report in Chromium and uses them: axes, zoom, keys, sorting, print, dark, phone, markup in names.

Usage: check_report.py CLAROS [--keep FOLDER]   ends with 77 where Debian's chromium, chromium-driver or python3-selenium
is missing. --keep leaves the pages and screenshots in FOLDER.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from browser import Browser as AnyBrowser, check, finish
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

MARKUP = ["<script>document.title='ran'</script>", "\"><img src=x onerror=document.title='ran'>", "</title><h1>broken",
          "a'b\"c&amp;<b>", "]]><!--", "{{x}}${y}", "</script><script>document.title='ran'", "\u202efdp.exe", "new\nline\ttab",
          "<svg onload=document.title='ran'>", "javascript:alert(1)", "\u2028\u2029", "'; DROP--", "x" * 180]


def claros(program, folder, *words):
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"claros {' '.join(words)}: {done.returncode}\n{done.stderr}")


def put_problem(folder):
    draw = random.Random(1)
    rows = [[draw.gauss(0, 1) for _ in range(12)] for _ in range(200)]
    with open(folder / "data.csv", "w", encoding="utf-8") as file:
        file.write("y," + ",".join(["<b>x0</b>"] + [f"x{k}" for k in range(1, 12)]) + "\n")
        for row in rows:
            file.write(",".join(f"{v:.6f}" for v in [2 * row[0] - row[3] + draw.gauss(0, .3), *row]) + "\n")
    (folder / "lasso.ini").write_text(
        "[objective]\nuse = linear-model\ndata = data.csv\nresponse = y\n[penalty]\nuse = l1\nlambda = 0.05\n"
        "[estimator]\nuse = saga\n[algorithm]\nuse = proximal-gradient\n[stop]\niterations = 2000\n", encoding="utf-8")


def put_classes_and_graphs(program, folder):
    """Runs whose pages have a calibration of classes with markup in their names, a flow and a permutation."""
    draw = random.Random(2)
    with open(folder / "classes.csv", "w", encoding="utf-8") as file:
        file.write("a,b,y\n")
        for _ in range(300):
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            file.write(f"{a:.5f},{b:.5f},{MARKUP[9] if a - b + draw.gauss(0, 1) > 0 else '<b>no</b>'}\n")
    claros(program, folder, "run", "objective.use=linear-model", "objective.data=classes.csv", "objective.loss=logistic",
           "penalty.use=l1", "penalty.lambda=0.01", "--quiet", "--out", "classes")
    (folder / "costs.csv").write_text("".join(",".join(str(draw.random()) for _ in range(12)) + "\n" for _ in range(12)), encoding="utf-8")
    claros(program, folder, "run", "objective.use=linear", "objective.data=costs.csv", "set.use=birkhoff", "--quiet", "--out", "pairs")
    (folder / "prices.csv").write_text("1\n5\n1\n1\n2\n3\n1\n2\n", encoding="utf-8")
    claros(program, folder, "run", "objective.use=linear", "objective.data=prices.csv", "set.use=flow",
           "set.graph=1 2; 1 3; 2 3; 3 4; 2 4; 4 5; 3 5; 5 6", "--quiet", "--out", "flow")


class Browser(AnyBrowser):
    def open(self, page):
        began = time.monotonic()
        self.driver.get(pathlib.Path(page).as_uri())
        self.until(lambda: self.all(".figure .drawing [role=img]"), "a picture")
        return time.monotonic() - began


def ticks(browser, axis):
    anchor = {"x": "middle", "y": "end"}[axis]
    return [t.text for t in browser.all(f".figure[data-figure='0'] .tick[text-anchor={anchor}]")]


def lines(browser):
    return browser.script("[...document.querySelectorAll(\".figure[data-figure='0'] .chart .line\")].map(p => p.getAttribute('d'))")


def press(browser, key):
    browser.driver.find_element(By.CSS_SELECTOR, f".figure[data-figure='0'] [data-key={key[0]}][title*=\"{key[1]}\"]").click()


def overlaps(browser):
    """Texts of pictures that are cut by their picture, or lie on each other."""
    return browser.script("""(() => {
      const wrong = [];
      for (const svg of document.querySelectorAll('svg.chart')) {
        const all = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect(), t.matches('.over')]);
        const box = svg.getBoundingClientRect();
        for (const [text, r] of all)
          if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1) wrong.push('cut: ' + text);
        for (let a = 0; a < all.length; ++a) for (let b = 0; b < a; ++b) {
          const [s, t] = [all[a][1], all[b][1]];
          if (s.left < t.right - 1 && t.left < s.right - 1 && s.top < t.bottom - 3 && t.top < s.bottom - 3) wrong.push(all[a][0] + ' on ' + all[b][0]);
        }
      }
      return wrong; })()""")


def check_use(folder):
    with Browser() as browser:
        browser.open(folder / "grid/report.html")
        check(browser.complaints() == [], "console without errors")
        before = lines(browser)
        check(len(before) == 3 and all(d.startswith("M") and len(d) > 50 for d in before), f"three curves: {before}")
        check(len(browser.all(".figure .band")) >= 3, "bands of the quartiles")
        check(overlaps(browser) == [], f"labels are apart: {overlaps(browser)}")

        x_before, y_before = ticks(browser, "x"), ticks(browser, "y")
        press(browser, ("x", "iterations"))
        check(ticks(browser, "x") != x_before and lines(browser) != before, "a click changes the horizontal axis and its ticks")
        press(browser, ("y", "value"))
        check(ticks(browser, "y") != y_before, "a click changes the vertical axis and its ticks")
        press(browser, ("logY", "axis"))
        check(browser.all("[data-key=logY][aria-pressed=true]") != [], "a click makes the axis logarithmic")

        browser.open(folder / "grid/report.html")
        whole = lines(browser)
        drawing = browser.driver.find_element(By.CSS_SELECTOR, ".drawing")
        ActionChains(browser.driver).move_to_element_with_offset(drawing, -100, -80).click_and_hold().move_by_offset(200, 160).release().perform()
        zoomed = lines(browser)
        check(zoomed != whole, "dragging zooms")
        drawing.send_keys("0")
        check(lines(browser) == whole, "0 shows the whole")
        drawing.send_keys("+")
        check(lines(browser) != whole, "+ zooms")
        ActionChains(browser.driver).double_click(drawing).perform()
        check(lines(browser) == whole, "a double click shows the whole")
        drawing.send_keys(Keys.ARROW_RIGHT)
        readout = browser.driver.find_element(By.CSS_SELECTOR, ".readout").text
        check("estimator=saga: " in readout and " at " in readout, f"arrows read values: {readout}")
        ActionChains(browser.driver).move_to_element_with_offset(drawing, 50, 0).perform()
        check(len(browser.all(".dot")) > 0, "the pointer shows points")

        key = browser.driver.find_element(By.CSS_SELECTOR, ".key")
        key.click()
        check(len(lines(browser)) == 2 and key.get_attribute("aria-pressed") == "false", "the legend hides a curve")
        browser.driver.find_element(By.CSS_SELECTOR, ".figure .numbers summary").click()
        browser.until(lambda: len(browser.all(".figure .numbers tbody tr")) > 6, "the table of a picture")

        head = browser.all("table.sortable th")[0]
        head.click(), head.click()
        first = [row.text for row in browser.all("table.sortable")[0].find_elements(By.CSS_SELECTOR, "td:first-child")]
        check(first == sorted(first, reverse=True) and len(first) == 3, f"a table sorts: {first}")
        check(browser.complaints() == [], "console without errors after use")


def check_bands(folder):
    """The medians that the script computes are those of the static picture, which C++ computes."""
    static = re.search(r'<svg class="chart".*?</svg>', (folder / "grid/report.html").read_text(encoding="utf-8"), re.S)[0]
    paths = re.findall(r'class="line s\d d\d" d="([^"]*)"', static)
    with Browser() as browser:
        browser.driver.get((folder / "grid/report.html").as_uri())
        browser.script("(document.querySelector('.drawing').style.width = '760px')")
        browser.until(lambda: browser.all(".drawing svg[viewBox='0 0 760 400']") and lines(browser), "a picture of 760")
        time.sleep(.3)
        drawn = lines(browser)
    numbers = [[float(v) for v in re.findall(r"[\d.]+", path)] for path in paths]
    others = [[float(v) for v in re.findall(r"[\d.]+", path)] for path in drawn]
    same = len(numbers) == len(others) and all(
        len(a) == len(b) and all(abs(p - q) < .25 for p, q in zip(a, b)) for a, b in zip(numbers, others))
    check(same, f"script and C++ draw the same medians: {numbers} {others}")


def check_looks(folder):
    with Browser("--hide-scrollbars") as browser:
        for name in ("grid", "run", "path", "maps", "classes", "flow", "pairs"):
            page = folder / name / "report.html"
            browser.size(1200, 900)
            browser.open(page)
            check(overlaps(browser) == [], f"{name}: labels are apart: {overlaps(browser)}")
            browser.picture(folder / f"{name}-desktop.png")
            browser.size(390, 844, True)
            browser.open(page)
            check(browser.script("document.documentElement.scrollWidth <= innerWidth"), f"{name}: nothing wider than a phone")
            check(overlaps(browser) == [], f"{name}: labels are apart on a phone: {overlaps(browser)}")
            browser.picture(folder / f"{name}-phone.png", 390, True)
            browser.size(1200, 900)
            browser.media(scheme="dark")
            browser.open(page)
            for selector, way, least in ((".sentence", "color", 7), (".note, td", "color", 4.5), (".chart .tick, td", "fill", 4.5),
                                         (".line.s0, .bar", "stroke", 3), (".sorts", "color", 4.5)):
                if way == "stroke" and not browser.all(".line.s0"):
                    continue
                if way == "fill" and not browser.all(".chart .tick"):
                    continue
                found = browser.contrast(selector.split(",")[0] if browser.all(selector.split(",")[0]) else selector, way)
                check(found >= least, f"{name}: contrast of {selector} in the dark is {found:.2f}, expected {least}")
            for number in range(7):
                found = contrast_of_variable(browser, f"--c{number}")
                check(found >= 3, f"curve {number} in the dark has contrast {found:.2f}")
            browser.picture(folder / f"{name}-dark.png")
            browser.media(media="print")
            browser.size(794, 1123)
            scrolls = browser.script("[...document.querySelectorAll('*')].filter(e => /auto|scroll/.test(getComputedStyle(e).overflowX + "
                                     "getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1).map(e => e.className)")
            check(scrolls == [], f"{name}: no scroll bars in print: {scrolls}")
            check(browser.script("document.documentElement.scrollWidth <= innerWidth"), f"{name}: nothing is wider than the paper")
            browser.picture(folder / f"{name}-print.png", 794)
            browser.media()
            check(browser.complaints() == [], f"{name}: console without errors")


def contrast_of_variable(browser, name):
    browser.script("(document.querySelector('h1').style.color = `var(${arguments[0]})`)", name)
    found = browser.contrast("h1")
    browser.script("(document.querySelector('h1').style.color = '')")
    return found


def check_without_script(folder):
    with Browser() as browser:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        browser.driver.get((folder / "grid/report.html").as_uri())
        drawn = browser.all(".drawing svg .line")
        check(len(drawn) == 3 and all(line.size["width"] > 50 for line in drawn), "the static picture without a script")
        browser.driver.save_screenshot(str(folder / "static.png"))


def check_graphs(folder):
    with Browser() as browser:
        browser.open(folder / "flow/report.html")
        check(len(browser.all(".graph .node")) == 6 and len(browser.all(".graph .line.s0")) == 4, "a flow of four arcs between six nodes")
        wide = browser.script("getComputedStyle(document.querySelector('.graph .line.s0')).strokeWidth")
        check(wide == "6px", f"an arc is as wide as its flow: {wide}")
        browser.open(folder / "pairs/report.html")
        check(len(browser.all(".graph .node")) == 24 and len(browser.all(".graph .line")) == 12, "a permutation of twelve")
        browser.open(folder / "classes/report.html")
        check(browser.all("svg.chart b, td b, th b, svg svg svg") == [], "names of classes stay text")
        check(len(browser.all(".points")) == 1, "a calibration")
        check(browser.complaints() == [], f"console without errors: {browser.complaints()}")


def check_markup(program, folder):
    kept = []
    for number, name in enumerate(MARKUP):
        place = folder / "markup" / (name.replace("/", "_") or str(number))
        shutil.copytree(folder / "run", place)
        kept.append(str(place))
    claros(program, folder, "report", *kept, "--title", "".join(MARKUP[:8]), "--out", "markup.html")
    with Browser() as browser:
        browser.open(folder / "markup.html")
        check("ran" != browser.script("document.title"), "no markup of a name runs")
        check(browser.all("h1 b, bdi *, td *, pre *, .sentence *, main > img, h1 h1") == [], "names stay text")
        check(len(browser.all("h1")) == 1, "one heading")
        check(len(browser.all("script")) == 2, "two scripts")
        check(len(browser.all(".key")) == len(MARKUP), "a curve for each name")
        check(browser.complaints() == [], f"console without errors: {browser.complaints()}")
        # The policy itself: what a name could have brought in does not run.
        browser.script("document.body.append(Object.assign(document.createElement('script'), {textContent: \"document.title = 'ran'\"}))")
        check("ran" != browser.script("document.title"), "the policy refuses another script")
        sent = browser.script("fetch('http://127.0.0.1:1/').then(() => 'sent', error => String(error))")
        check("sent" != sent and any("Content Security Policy" in text for text in browser.complaints()), "the policy refuses the network")


def check_large(program, folder):
    claros(program, folder, "run", "lasso.ini", "--quiet", "--out", "long", "stop.iterations=100000", "trace.every=1",
           "output.checkpoint=0")
    rows = sum(1 for _ in open(folder / "long/trace.csv", encoding="utf-8")) - 1
    check(rows >= 100000, f"the long run has {rows} rows")
    for number in range(100):
        shutil.copytree(folder / "long", folder / f"many/{number}", copy_function=os.link)
    began = time.monotonic()
    claros(program, folder, "report", *(f"many/{number}" for number in range(100)), "--out", "many.html")
    size = (folder / "many.html").stat().st_size
    check(size < 5e6, f"100 runs of {rows} rows make a page of {size} bytes")
    print(f"100 runs of {rows} rows: page written in {time.monotonic() - began:.1f} s, {size / 1e6:.2f} MB")
    with Browser() as browser:
        seconds = sorted(browser.open(folder / "many.html") for _ in range(3))[1]
        loaded = browser.script("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000")
        print(f"opened in {seconds:.2f} s (load event after {loaded:.2f} s), the second of three")
        check(seconds < float(os.environ.get("CLAROS_SECONDS_TO_OPEN", "1")), f"the page opens in {seconds:.2f} s")
        check(len(lines(browser)) == 100, "100 curves")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    keep = pathlib.Path(sys.argv[3]).resolve() if "--keep" in sys.argv else None
    with tempfile.TemporaryDirectory() as name:
        folder = keep or pathlib.Path(name)
        folder.mkdir(exist_ok=True, parents=True)
        put_problem(folder)
        claros(program, folder, "run", "lasso.ini", "--quiet", "--out", "run")
        claros(program, folder, "compare", "lasso.ini", "--quiet", "--vary", "estimator.use=saga,svrg,sg", "--repeat", "3", "--out", "grid")
        claros(program, folder, "path", "lasso.ini", "--quiet", "--folds", "5", "--lambdas", "30", "--out", "path")
        claros(program, folder, "run", "data.use=synthetic-matrix-regression", "data.rows=20", "data.rank=2",
               "objective.use=linear-model", "set.use=nuclear-ball", "set.radius=50", "algorithm.use=frank-wolfe", "stop.iterations=40", "--quiet", "--out", "maps")
        put_classes_and_graphs(program, folder)
        for made in ("run", "grid", "path", "maps", "flow", "pairs"):
            claros(program, folder, "report", made, "--quiet")
        claros(program, folder, "report", "classes", "--against", "classes.csv", "--quiet")
        for part in (check_use, check_bands, check_looks, check_graphs, check_without_script):
            part(folder)
        check_markup(program, folder)
        check_large(program, folder)
    finish()


main()
