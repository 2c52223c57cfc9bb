# SPDX-License-Identifier: BSD-3-Clause
"""Formulas of plain text as MathML, for the site: ||x||_1 <= radius, g = (1/n) sum_i y_i, C = {X : tr X = k}.

The pages hold formulas as text that a terminal shows. `in_prose` finds them between words, `in_block` in an indented
line. Both are careful: what is not a formula by the grammar below stays text, and every formula keeps its text in
`alttext`, so that putting these texts back gives the page as it was (tests/report/check_formulas.py).

    chain     operand (relation or operator, operand)...     relations: <= >= < > = != <- ->, in
    operand   [-] atom atom...                               a product
    atom      number | name | function atom | (list) | [list] | {list} | |chain| | ||chain|| | <list>
              with primes, *, _index, ^exponent behind it
"""
import html
import re

GREEK = dict(alpha="α", beta="β", gamma="γ", delta="δ", epsilon="ε", eps="ε", zeta="ζ", eta="η", theta="θ", kappa="κ",
             mu="μ", nu="ν", xi="ξ", rho="ρ", sigma="σ", tau="τ", phi="φ", psi="ψ", omega="ω", Gamma="Γ", Delta="Δ",
             Theta="Θ", Lambda="Λ", Sigma="Σ", Phi="Φ", Psi="Ψ", Omega="Ω", **{"lambda": "λ"})
LARGE = {"sum": "∑"}
FUNCTIONS = {"exp", "log", "sqrt", "max", "min", "argmin", "argmax", "tr", "rank", "diag", "vec", "sign", "det",
             "prox"}
SIGNS = {"grad": "∇", "hess": "∇²", "inf": "∞", "infinity": "∞", "...": "…"}
OPERATORS = {"<=": "≤", ">=": "≥", "<-": "←", "->": "→", "!=": "≠", "=": "=", "<": "<", ">": ">", "+": "+", "-": "−",
             "*": "·", "/": "/", ":": ":"}
# Names of parameters, which stand in formulas as they are.
PARAMETERS = {"radius", "ratio", "lower", "upper", "low", "high", "least", "most", "noise", "weight", "step", "rows",
              "cols", "variance", "vbar", "gbar", "xs"}
# Words beside formulas in an indented line.
CONNECTIVES = set("minimize minimise maximise subject to over for all where of divided by the with and in".split())
# English words of one letter, and Greek letters that are words before these.
ENGLISH = {"a", "A", "I"}
NAMED = {"regression", "distribution", "targets", "variables"}

TOKEN = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z]+\d*|<=|>=|<-|->|!=|\.\.\.|\|\||[-+*/=<>|()\[\]{},;:^_'!]")
COMPOUND = re.compile(r"(?:-[A-Za-z]{2,})+")
# "Huber's", "0-9", "300x300", "mu-smooth" behind its mu, "1987)" of a citation.
PROSE = re.compile(r"[A-Za-z]{2,}'[a-z]+|\d+(?:[x-]\d+)+")
JOINED = "*/^_=+<>"
DEEPEST = 12  # groups within each other


class Token:
    def __init__(self, text, begin, end, prose, spaced):
        self.text, self.begin, self.end, self.prose, self.spaced = text, begin, end, prose, spaced


def is_variable(word):
    return bool(re.fullmatch(r"[A-Za-z]\d*", word)) or re.sub(r"\d+$", "", word) in GREEK


def tokens_of(text):
    """Words that a hyphen joins are prose; so is every character that no formula has."""
    found, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        spaced = at == 0 or text[at - 1].isspace()
        match = PROSE.match(text, at) or (not spaced and text[at - 1] in ")]" and COMPOUND.match(text, at))
        if match:
            found.append(Token(match[0], at, match.end(), True, spaced))
            at = match.end()
            continue
        match = TOKEN.match(text, at)
        end, prose = (match.end(), False) if match else (at + 1, True)
        if match and match[0][0].isalpha():
            compound = COMPOUND.match(text, end)
            if compound and not is_variable(match[0]):
                end, prose = compound.end(), True
            elif found and found[-1].text == "'" and not spaced and len(match[0]) == 2:
                end -= 1  # x'Qx
        found.append(Token(text[at:end], at, end, prose, spaced))
        at = end
    return found


class NoFormula(Exception):
    """The tokens from here are not a formula."""


class Math:
    """MathML and whether it holds more than a name."""

    def __init__(self, text, evident=False, fraction=None):
        self.text, self.evident, self.fraction = text, evident, fraction


def leaf(kind, text, **attributes):
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{kind}{more}>{html.escape(text)}</{kind}>"


def row(*parts):
    parts = [part for part in parts if part]
    return parts[0] if len(parts) == 1 else "<mrow>" + "".join(parts) + "</mrow>"


def name_of(word):
    letters, digits = re.fullmatch(r"(.*?)(\d*)", word).groups()
    if word in SIGNS:
        made = leaf("mi", SIGNS[word], mathvariant="normal")
    elif letters in GREEK or len(letters) == 1:
        made = leaf("mi", "ℓ" if letters == "l" and digits else GREEK.get(letters, letters))
        return f"<msub>{made}{leaf('mn', digits)}</msub>" if digits else made
    else:
        made = leaf("mi", word, mathvariant="normal")
    return made


SLASH = leaf("mo", "/", lspace="0.1em", rspace="0.1em")


class Parser:
    def __init__(self, text, display=False):
        self.source, self.tokens, self.at, self.display = text, tokens_of(text), 0, display
        self.inside = 0  # parentheses around the present place

    def peek(self, ahead=0):
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def is_next(self, *texts, ahead=0):
        token = self.peek(ahead)
        return token is not None and not token.prose and token.text in texts

    def closed_up(self, token):
        """Whether nothing but the next token follows it at once."""
        return token.end < len(self.source) and not self.source[token.end].isspace()

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    # --- lists and groups

    def listed(self, closing, separators=(",", ";"), words=False):
        """Chains with separators up to `closing`; with `words`, prose between them."""
        self.inside += 1
        if self.inside > DEEPEST:
            raise NoFormula
        parts, evident, self.fraction = [], False, None
        while not self.is_next(closing):
            token = self.peek()
            if token is None:
                raise NoFormula
            if token.text in separators and not token.prose and parts:
                parts.append(leaf("mo", self.take().text, separator="true"))
                continue
            kept = self.at, self.inside
            try:
                chain = self.chain(closing)
                parts.append(chain.text)
                evident, self.fraction = evident or chain.evident, chain.fraction
            except NoFormula:
                self.at, self.inside = kept
                if not words or not (token.text[0].isalnum()):
                    raise
                said = self.take().text
                while self.peek() and self.peek().text[0].isalpha() and not is_variable(self.peek().text):
                    said += " " + self.take().text
                parts.append(leaf("mtext", f"\u00a0{said}\u00a0"))
        self.inside -= 1
        if not parts:
            raise NoFormula
        self.take()
        return parts, evident

    def group(self):
        opening = self.take()
        closing = {"(": ")", "[": "]", "{": "}"}[opening.text]
        separators = (",", ";", ":", "|") if opening.text == "{" else (",", ";")
        parts, evident = self.listed(closing, separators, words=opening.text == "{")
        fraction, several = self.fraction, len(parts) > 1
        if opening.text == "(" and fraction and not several and (self.starts_atom() or self.is_next("sum")):
            return Math("<mfrac>" + "".join(fraction) + "</mfrac>", True)  # (1/n) before its factor
        opened, closed = (leaf("mo", text, stretchy="false") for text in (opening.text, closing))
        return Math(row(opened, *parts, closed), evident or several or opening.text == "{")

    def bars(self):
        bar = self.take()
        self.inside += 1
        if self.inside > DEEPEST:
            raise NoFormula
        inner = self.chain(bar.text)
        self.inside -= 1
        if not self.is_next(bar.text):
            raise NoFormula
        self.take()
        mark = leaf("mo", {"|": "|", "||": "‖"}[bar.text], stretchy="false")
        return Math(row(mark, inner.text, mark), True)

    def angles(self):
        opening = self.take()
        if not self.closed_up(opening):
            raise NoFormula
        parts, _ = self.listed(">")
        return Math(row(leaf("mo", "⟨", stretchy="false"), *parts, leaf("mo", "⟩", stretchy="false")), True)

    # --- atoms

    def starts_atom(self):
        token = self.peek()
        if token is None or token.prose:
            return False
        text = token.text
        if text in "([{" or text[0].isdigit() or text in SIGNS:
            return True
        if text in ("|", "||"):
            return self.closed_up(token)
        if text == "<":
            return self.closed_up(token) and token.spaced | (self.at > 0 and self.tokens[self.at - 1].text in "(+-")
        return self.is_name(token)

    def is_name(self, token):
        text, after = token.text, self.peek(1)
        if text in ENGLISH and token.spaced and (self.display or not self.inside) and after and after.spaced:
            if after.text[0].isalpha() and not is_variable(after.text):
                return False
            if self.at == 0 or not self.is_operator(self.tokens[self.at - 1]) and not self.is_operator(after):
                return False
        if text in GREEK and after and after.text in NAMED:
            return False
        if is_variable(text):
            return True
        if text in FUNCTIONS or text in LARGE or text == "E":
            return True
        if text in PARAMETERS:
            before = self.tokens[self.at - 1] if self.at > 0 else None
            return bool(self.inside or after and self.is_operator(after)
                        or before and self.is_operator(before)
                        or text in ("ratio", "noise") and before and is_variable(before.text))
        return False

    @staticmethod
    def is_operator(token):
        return not token.prose and token.text in OPERATORS and token.text != ":"

    def call(self):
        """A function, ∑ or ∇, whose argument must follow."""
        token = self.take()
        text = token.text
        if text in LARGE and self.is_next("over") and self.is_next("of", ahead=2) and is_variable(self.peek(1).text):
            self.take()
            of = name_of(self.take().text)
            self.take()
            mark = f"<munder>{leaf('mo', LARGE[text])}{of}</munder>"
        else:
            mark = leaf("mo", LARGE[text]) if text in LARGE else \
                name_of(text) if text in SIGNS else leaf("mi", text, mathvariant="normal")
            mark = self.scripts(Math(mark), large=text in LARGE).text
        if text == "sqrt" and self.starts_atom():
            opened = self.is_next("(")
            inner = self.atom().text
            if opened:
                inner = re.sub(r'^<mrow><mo stretchy="false">\(</mo>(.*)<mo stretchy="false">\)</mo></mrow>$', r"\1", inner)
            return Math(f"<msqrt>{inner}</msqrt>", True)
        if not self.starts_atom():
            raise NoFormula
        tight = self.is_next("(", "[")
        argument = self.operand() if text in LARGE or text in ("max", "min") else self.atom()
        space = "" if tight else '<mspace width="0.17em"/>'
        return Math(row(mark, space, argument.text), True)

    def atom(self):
        token = self.peek()
        if not self.starts_atom():
            raise NoFormula
        text = token.text
        if text in "([{":
            made = self.group()
        elif text in ("|", "||"):
            made = self.bars()
        elif text == "<":
            made = self.angles()
        elif text in FUNCTIONS or text in LARGE or text in ("grad", "hess"):
            return self.scripts(self.call())
        elif text[0].isdigit():
            made = Math(leaf("mn", self.take().text))
        elif text == "E" and self.peek(1) and self.peek(1).text in ("||", "f", "["):
            self.take()
            return Math(row(leaf("mi", "𝔼", mathvariant="normal"), self.atom().text), True)
        else:
            made = Math(name_of(self.take().text))
        return self.scripts(made)

    def scripts(self, base, large=False):
        below = above = None
        marks = ""
        evident = base.evident
        while self.peek() and not self.peek().spaced and not self.peek().prose:
            token = self.peek()
            if token.text == "'":
                marks += "′"
                self.take()
            elif token.text == "*" and not (self.closed_up(token) and self.source[token.end] not in "),;>|.]}"):
                marks += "*"
                self.take()
            elif token.text == "_" and below is None:
                self.take()
                below = self.script()
            elif token.text == "^" and above is None:
                self.take()
                above = self.script()
            elif token.text == "!":
                self.take()
                base = Math(row(base.text, leaf("mo", "!")))
            else:
                break
            evident = True
        upper = (leaf("mo", marks) if marks else "") + (above or "")
        upper = row(leaf("mo", marks) if marks else "", above or "") if upper else None
        tags = ("munder", "mover", "munderover") if large else ("msub", "msup", "msubsup")
        if below and upper:
            return Math(f"<{tags[2]}>{base.text}{below}{upper}</{tags[2]}>", True)
        if below or upper:
            tag = tags[0] if below else tags[1]
            return Math(f"<{tag}>{base.text}{below or upper}</{tag}>", True)
        return Math(base.text, evident)

    def script(self):
        """What follows _ or ^: braces and the parentheses of an exponent are not shown."""
        token = self.peek()
        if token is None or token.spaced or token.prose:
            raise NoFormula
        if token.text == "*":
            self.take()
            return leaf("mo", "*")
        if token.text == "-" and self.peek(1):
            self.take()
            return row(leaf("mo", "−"), self.script())
        if token.text in "{(":
            shown = token.text == "(" and self.tokens[self.at - 1].text == "_"
            self.take()
            parts, _ = self.listed("}" if token.text == "{" else ")", (",", ";", ":"))
            return row(leaf("mo", "("), *parts, leaf("mo", ")")) if shown else row(*parts)
        if token.text[0].isdigit():
            return leaf("mn", self.take().text)
        if token.text[0].isalpha():
            return name_of(self.take().text)
        raise NoFormula

    # --- products and chains

    def operand(self):
        minus = leaf("mo", "−", form="prefix") if self.is_next("-", "+") else ""
        if minus:
            sign = self.take()
            if not self.closed_up(sign):
                raise NoFormula
            minus = leaf("mo", OPERATORS[sign.text], form="prefix")
        first = self.atom()
        parts, evident = [minus, first.text], bool(minus) or first.evident
        while self.starts_atom() and not self.is_between():
            token = self.peek()
            kept = self.at, self.inside
            called = not token.spaced and token.text in "(["
            if token.text[0].isdigit() and not self.is_next("=", "+", "/", "^", "|", "||", ahead=1):
                break  # X 1 = 1 is a product, "B 67" and "1 2 3" are not
            if token.text[0].isdigit() and self.tokens[self.at - 1].text[0].isdigit() \
                    and self.tokens[self.at - 2].text not in "_^":
                break
            try:
                following = self.atom()
                if token.spaced and token.text == "(" and re.search(r"<mo>[=<>≤≥]|^\S*<mn>\d{4}</mn>\S*$", following.text):
                    raise NoFormula  # l1 (k = 1), 66 (2013)
            except NoFormula:
                self.at, self.inside = kept
                break
            parts += ["" if called or token.text in "([" else '<mspace width="0.17em"/>', following.text]
            evident = evident or called or following.evident or not token.text[0].isalpha()
            evident = evident or is_variable(token.text)
        return Math(row(*parts), evident)

    def is_between(self):
        """x between sizes is a cross, n between sets their intersection."""
        before, token, after = self.tokens[self.at - 1], self.peek(), self.peek(1)
        if token.text not in ("x", "n") or not token.spaced or after is None or after.prose or not after.spaced:
            return False
        if self.at == 0:
            return False
        if "..." in (before.text, after.text) or self.is_next("...", ahead=4) and self.is_next("_", ahead=2):
            return True
        if token.text == "x" and self.at > 1 and self.tokens[self.at - 2].text == "_" and after.text == "...":
            return True
        sizes = re.compile(r"\d+|[dnmprK]")
        return token.text == "x" and bool(sizes.fullmatch(before.text) and sizes.fullmatch(after.text))

    def operator(self, closing):
        """The MathML of an operator that is next, or nothing."""
        token = self.peek()
        if token is None or token.prose:
            return None
        text = token.text
        if text == closing and not (text == ">" and token.spaced):
            return None
        if text in ("x", "n") and self.at > 0 and self.is_between():
            return leaf("mo", {"x": "×", "n": "∩"}[text])
        if text == "in" and self.at > 0 and is_variable(self.tokens[self.at - 1].text.rstrip("'")):
            after = self.peek(1)
            plain = after and (re.fullmatch(r"[B-HJ-Z]", after.text) or after.text in "[{" and self.inside)
            return leaf("mo", "∈") if plain else None
        if text not in OPERATORS or text == ":" and not self.inside:
            return None
        if text in ("<", ">") and not (token.spaced and not self.closed_up(token)):
            return None
        if text in ("<-", "->", "=", "*") and not token.spaced and not self.inside:
            return None
        return SLASH if text == "/" else leaf("mo", OPERATORS[text])

    def chain(self, closing=None):
        first = self.operand()
        parts, evident = [first.text], first.evident
        while True:
            sign = self.operator(closing)
            if sign is None:
                break
            kept = self.at, self.inside
            self.take()
            try:
                following = self.operand()
            except NoFormula:
                self.at, self.inside = kept
                break
            parts += [sign, following.text]
            evident = True
        fraction = (parts[0], parts[2]) if len(parts) == 3 and parts[1] == SLASH else None
        return Math(row(*parts), evident, fraction)


def wrapped(inner, source, display=False):
    block = ' display="block"' if display else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{block} alttext="{html.escape(source)}">{inner}</math>'


def formula_at(parser):
    """The formula that begins at the parser's place, or nothing; the place moves behind it."""
    begin = parser.at
    token = parser.peek()
    glued = begin > 0 and not token.spaced and parser.tokens[begin - 1].text[-1] not in "([{;,\"'" \
        and parser.tokens[begin - 1].text != "..."
    if glued or token.prose:
        return None
    parser.inside = 0
    try:
        math = parser.chain()
    except (NoFormula, IndexError):
        parser.at = begin
        return None
    if re.fullmatch(r"\d+", token.text) and parser.source[token.end:token.end + 2] == " (":
        parser.at = begin  # 20 (1958)
        return None
    last = parser.tokens[parser.at - 1]
    after = parser.peek()
    joined = after is not None and not after.spaced and (after.text[0].isalnum() or after.text in JOINED)
    behind = parser.peek(1)
    joined = joined or after is not None and after.text == "." and behind is not None and not behind.spaced  # i.i.d.
    alone = parser.at == begin + 1 and token.text != "E"
    if joined or not math.evident and not (alone and is_variable(token.text) and token.text not in ENGLISH):
        parser.at = begin
        return None
    return wrapped(math.text, parser.source[token.begin:last.end])


def in_prose(text):
    """HTML of a text (not yet escaped) with its formulas as MathML."""
    parser = Parser(text)
    made, written = [], 0
    while parser.at < len(parser.tokens):
        token = parser.peek()
        math = formula_at(parser)
        if math is None:
            parser.at += 1
            continue
        made += [html.escape(text[written:token.begin], quote=False), math]
        written = parser.tokens[parser.at - 1].end
    return "".join(made) + html.escape(text[written:], quote=False)


def in_line(line):
    """An indented line that holds a formula and connecting words alone, or nothing."""
    parser = Parser(line.strip(), display=True)
    parts, evident, formulas = [], False, 0
    while parser.at < len(parser.tokens):
        token = parser.peek()
        wide = token.begin > 2 and parser.source[token.begin - 2:token.begin] == "  "
        if wide:
            parts.append('<mspace width="2em"/>')
        if not token.prose and token.text in CONNECTIVES:
            parser.take()
            parts.append(leaf("mtext", f"\u00a0{token.text}\u00a0"))
            continue
        if not token.prose and token.text in (",", ";") and formulas:
            parser.take()
            parts += [leaf("mo", token.text, separator="true")]
            continue
        begin = parser.at
        parser.inside = 0
        try:
            math = parser.chain()
        except (NoFormula, IndexError):
            return None
        if parser.at == begin:
            return None
        parts.append(math.text)
        evident, formulas = evident or math.evident, formulas + 1
    return "".join(parts) if evident else None


def in_block(text):
    """The lines of an indented block as MathML, where every one of them is a formula; else nothing."""
    lines = [line for line in text.split("\n") if line.strip()]
    made = [in_line(line) for line in lines]
    if not lines or any(line is None for line in made):
        return None
    return "\n".join(wrapped(f"<mrow>{math}</mrow>", line.strip(), True) for math, line in zip(made, lines))
