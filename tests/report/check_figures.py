#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the texts of the project's own figures in Chromium: none may be cut by its figure, or lie on another one.

Usage: check_figures.py [FILE.svg ...]   without files all figures below docs/. Ends with 77 where a browser is missing.
"""
import pathlib
import subprocess
import sys

from browser import WRONG, Browser, address, check, finish

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Boxes of texts, with a tolerance of a sixth of their height: letters rarely fill their box. Of a text that is turned,
# its box is measured before it is turned.
MEASURE = """(() => {
  const svg = document.documentElement, page = svg.getBoundingClientRect(), wrong = [];
  const all = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => [t.textContent.trim(), t.getBoundingClientRect()]);
  for (const [text, box] of all)
    if (box.left < page.left - 1 || box.right > page.right + 1 || box.top < page.top - 1 || box.bottom > page.bottom + 1)
      wrong.push('is cut: ' + text);
  for (let a = 0; a < all.length; ++a) for (let b = 0; b < a; ++b) {
    const [[one, s], [two, t]] = [all[a], all[b]];
    const slack = Math.min(s.width, s.height, t.width, t.height) / 6;
    if (s.left < t.right - slack && t.left < s.right - slack && s.top < t.bottom - slack && t.top < s.bottom - slack)
      wrong.push('lies on another: ' + one + ' on ' + two);
  }
  return [all.length, wrong];
})()"""

PLANTED = """<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><text x="5" y="20">one</text>
<text x="10" y="24">two</text><text x="80" y="40">a long label</text></svg>"""


def main():
    named = sys.argv[1:]
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "docs/*.svg"], capture_output=True, text=True).stdout.split()
    figures = [pathlib.Path(file).resolve() for file in named] or [ROOT / file for file in listed]
    texts = 0
    with Browser(width=1600, height=1400) as browser:
        browser.driver.get("data:image/svg+xml," + PLANTED.replace("#", "%23"))
        found = browser.script(MEASURE)[1]
        check(len(found) == 2, f"a planted overlap and a planted cut are found: {found}")
        for figure in figures:
            browser.driver.get(address(figure))
            count, wrong = browser.script(MEASURE)
            texts += count
            check(count > 0, f"{figure.name} has texts")
            for what in wrong:
                check(False, f"{figure.relative_to(ROOT) if figure.is_relative_to(ROOT) else figure} {what}")
    check(named or len(figures) >= 20, f"{len(figures)} figures")
    print(f"{len(figures)} figures, {texts} texts")
    finish()


main()
