#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks docs/site/formulas.py, which sets formulas of plain text as MathML.

- Formulas become what is expected, and prose stays as it is.
- On every component page: with the text of each formula in its place, the page is what it was; the MathML is well
  formed, and shows every letter, number and sign of that text.
"""
import collections
import html
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "docs" / "site"))
import formulas  # noqa: E402

WRONG = []
MATH = re.compile(r'<math[^>]*alttext="([^"]*)".*?</math>', re.S)

# The formulas of a text, and what they show.
SET = {
    "l1 ball, ||x||_1 <= radius.": ["ℓ1", "‖x‖1≤radius"],
    "C = {x : sum_j ((x_j - m_j) / a_j)^2 <= r^2}, over": ["C={x:∑j((xj−mj)/aj)2≤r2}"],
    "g = (1/|S|) sum over S of [grad f_i(x) - y_i] + (1/n) sum_i y_i, then": ["g=1|S|∑S[∇fi(x)−yi]+1n∑iyi"],
    "f - f* falls": ["f−f*"],
    "minimises <g, u> + (beta/2) ||u - x||^2 by": ["⟨g,u⟩+β2‖u−x‖2"],
    "for 1 < p < 2, with": ["1<p<2"],
    "weights w_k = Phi^-1(1 - k q / (2 n)), scaled": ["wk=Φ−1(1−kq/(2n))"],
    "C = C_1 x ... x C_k over": ["C=C1×…×Ck"],
    "C_1 n ... n C_k": ["C1∩…∩Ck"],
    "X >= 0, X 1 = 1, X' 1 = 1": ["X≥0", "X1=1", "X′1=1"],
    "x'Qx/2 + c'x": ["x′Qx/2+c′x"],
    "z in R^K, y": ["z∈RK", "y"],
    "Diameter sqrt(2 min(k, n - k)).": ["2min(k,n−k)"],
    "lambda sum_k w_k |x|_(k) <= rho": ["λ∑kwk|x|(k)≤ρ"],
    "x_{t+1} = argmin <gbar_t, x>": ["xt+1=argmin⟨gbart,x⟩"],
    "matrices of 30 x 30 take": ["30×30"],
}
# Prose without a formula.
PROSE = ["The linear oracle answers with one entry.", "Huber's method", "negative log-likelihood of a gamma distribution",
         "Defazio, Bach: SAGA, NIPS 2014", "(some means, 2011)", "a step costs a pass", "rows 0-9; 10-14", "i.i.d. draws",
         "300x300 to", "it is 0.1*max", "and/or", "1 2; 2 3; 1 3", "see JRSS 20 (1958)", "soft-thresholding", "I am"]
# Lines that are formulas, and lines that are not.
LINES = ["minimize  f(x) + R(x) + h(x)   over x in C", "C = {x : 0 <= x_j <= 1, sum_j x_j = k},",
         "||x - prox_{s h}(x - s grad f(x))|| / s   divided by   ||grad f(0)||,   s = 1/(L + mu)",
         "x_ij = mu + b_i + c_j + X_ij"]
CODE = ["claros list", "[set]", "use = l1-ball", "cmake --preset release", "x = y.sum()", "v(\"x\", x_); v(\"t\", t_);",
        "printf '1,1,0.5\\n'", "B=\"a=b\""]


def check(holds, what):
    if not holds:
        WRONG.append(what)
        print("wrong:", what)


def shown(math):
    return "".join(tree.fromstring(math).itertext()).replace("\u00a0", "")


def counted(text, source):
    """How often each letter and digit stands in a formula; those are left out that may be a sign in `source`."""
    signs = {letter for word, letters in ((" x ", "x"), (" n ", "n"), (" in ", "in")) if word in source for letter in letters}
    if text == source:
        text = re.sub(r"\bsum over (\w+) of\b", r"sum \1", re.sub(r"\bsqrt\b", "", text))
        names = {**formulas.GREEK, "grad": "", "hess": "", "sum": "", "infinity": "", "inf": ""}
        text = "".join(names.get(word, word) for word in re.findall(r"[A-Za-z]+|[^A-Za-z]", text))
    return collections.Counter(c for c in text.replace("ℓ", "l").replace("𝔼", "E")
                               if c.isalnum() and c not in signs and c != "²")


def check_page(page):
    import markdown

    text = re.sub(r"<(pre|code)\b.*?</\1>", "\0", markdown.markdown(page.read_text(encoding="utf-8"), extensions=["tables", "fenced_code"]),
                  flags=re.S)
    count = 0
    for piece in re.split(r"<[^>]*>|\0", text.split(">Source<")[0]):
        plain = html.unescape(piece)
        made = formulas.in_prose(plain)
        check(html.unescape(MATH.sub(r"\1", made)) == plain, f"{page.name}: the text is kept: {plain}")
        for found in MATH.finditer(made):
            source = html.unescape(found[1])
            try:
                seen = shown(found[0])
            except tree.ParseError as error:
                check(False, f"{page.name}: {source}: {error}")
                continue
            count += 1
            check(counted(source, source) == counted(seen, source), f"{page.name}: {source} is shown as {seen}")
    return count


def main():
    for text, expected in SET.items():
        found = [shown(match[0]) for match in MATH.finditer(formulas.in_prose(text))]
        check(found == expected, f"{text}: {found}, expected {expected}")
    for text in PROSE:
        check(formulas.in_prose(text) == html.escape(text, quote=False), f"stays prose: {text}: {formulas.in_prose(text)}")
    for line in LINES:
        check(formulas.in_block(line + "\n") is not None, f"is a formula: {line}")
    for line in CODE:
        check(formulas.in_block(line + "\n") is None, f"is code: {line}")
    for text in ("<b>", "a < b & c > d", "||x|| <= \"r\"", "(" * 200, "{x : " * 50, "x_" * 100, "|" * 99):
        check(html.unescape(MATH.sub(r"\1", formulas.in_prose(text))) == text, f"any text is kept: {text[:20]}")
    try:
        count = sum(check_page(page) for page in sorted((ROOT / "docs" / "components").glob("*.md")))
    except ImportError:
        print("skipped: python3-markdown is not installed")
        return 77
    check(count > 600, f"{count} formulas on the component pages")
    print(f"wrong: {len(WRONG)}" if WRONG else f"all holds: {count} formulas on the component pages")
    return 1 if WRONG else 0


sys.exit(main())
