#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what editors and type checkers read of the package, from the tables behind `claros describe`.

    PYTHONPATH=build/release/python sdk/python/tools/make_stubs.py FOLDER    as the build does for build/release/python/claros

- components.pyi: for every component a dict of its parameters and roles, and the names of every kind;
- solving.pyi: the arguments of solve and check, which are keywords;
- linear.pyi, matrix.pyi, survival.pyi: the estimators with their parameters, if scikit-learn is installed.
"""
import inspect
import pathlib
import sys
import textwrap

import claros

HEAD = "# SPDX-License-Identifier: BSD-3-Clause\n# Written by sdk/python/tools/make_stubs.py.\n"
TYPES = {"real": "float", "integer": "int", "text": "str", "true or false": "bool"}
SECTIONS = ("stop", "trace", "run", "start", "output")


def plain_kinds():
    """Names of the kinds, and of their components."""
    return {kind: names for kind, names in sorted(claros.components().items())}


def type_of(row):
    if row["choices"]:
        return f"Literal[{', '.join(repr(choice) for choice in row['choices'])}]"
    if "fraction of the largest" in row["range"]:
        return "float | str"
    if row["type"].startswith("list"):
        return "Sequence[float] | str"
    return TYPES.get(row["type"], "str | Sequence[float]" if row["type"] == "text" else "Any")


def identifier(*words):
    return "".join(part.capitalize() for word in words for part in word.split("-"))


def comment(text, indent):
    return [f"{indent}# {line}" for line in textwrap.wrap(text, 110 - len(indent) - 2)]


def component_stub(kind, name):
    page = claros.describe(f"{kind}/{name}")
    names = [name, *page["aliases"]]
    lines = comment(page["summary"], "")
    lines.append(f'{identifier(kind, name)} = TypedDict("{identifier(kind, name)}", {{')
    lines.append(f'    "use": Literal[{", ".join(repr(each) for each in names)}],')
    for row in page["parameters"]:
        default = f"default {row['default']}" if row["default"] else "required or empty"
        lines += comment(f"{row['meaning']} ({row['range'] or row['type']}; {default})", "    ")
        lines.append(f'    "{row["name"]}": {type_of(row)},')
    for role in page["roles"]:
        lines += comment(role["meaning"], "    ")
        kind_of_role = f"{identifier(role['kind'])} | Any"
        lines.append(f'    "{role["name"]}": {f"Sequence[{kind_of_role}]" if role["many"] else kind_of_role},')
    return [*lines, "}, total=False)", ""]


def section_stub(name):
    page = claros.describe(name)
    lines = comment(page["summary"], "")
    lines.append(f'{identifier(name)} = TypedDict("{identifier(name)}", {{')
    for row in page["parameters"]:
        lines += comment(f"{row['meaning']} ({row['range'] or row['type']}; default {row['default'] or 'empty'})", "    ")
        lines.append(f'    "{row["name"]}": {type_of(row)},')
    return [*lines, "}, total=False)", ""]


def wrapped(text):
    return textwrap.wrap(text, 110, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


def components_stub():
    lines = [HEAD, '"""The components as dicts, for the arguments of `claros.solve`."""',
             "from typing import Any, Literal, Sequence, TypedDict, Union", ""]
    for kind, names in plain_kinds().items():
        for name in names:
            lines += component_stub(kind, name)
        listed = ", ".join(repr(name) for name in names)
        dicts = ", ".join(identifier(kind, name) for name in names)
        lines += [*wrapped(f"{identifier(kind)}Name = Literal[{listed}]"),
                  *wrapped(f"{identifier(kind)} = Union[{identifier(kind)}Name, {dicts}]"), ""]
    for section in SECTIONS:
        lines += section_stub(section)
    return "\n".join(lines).rstrip() + "\n"


ROLES = {"objective": "Objective", "smoother": "Smoother", "penalty": "Penalty", "set": "Set", "estimator": "Estimator",
         "algorithm": "Algorithm", "data": "Data"}


def solving_stub():
    """The arguments of solve, check, resume and compare, which take them as keywords."""
    from claros import solving

    given = [f"    {role}: {kind} | Any = None," for role, kind in ROLES.items()]
    given += [f"    {name}: {identifier(name)}{' | float' if name == 'stop' else ' | Any' if name == 'start' else ''} | None = None,"
              for name in SECTIONS]
    given += ["    on_step: Callable[[int, float, float, float], bool | None] | None = None,"]
    extra = {"solve": ["    progress: bool | Callable[[int, float, float, float], bool | None] | None = None,",
                       "    out: str | PathLike[str] | None = None,"], "check": []}
    used = sorted(set(ROLES.values()) | {identifier(name) for name in SECTIONS})
    lines = [HEAD, '"""Solve, check, resume, compare and predict."""', "from os import PathLike", "from typing import Any, Callable, Mapping", "",
             "from numpy import ndarray", "", *wrapped(f"from .components import ({', '.join(used)})"), "from .result import Result", "",
             "class Interrupted(KeyboardInterrupt):", "    result: Result | None", ""]
    for name, returned in (("solve", "Result"), ("check", "str")):
        function = getattr(solving, name)
        lines += [f"def {name}(", "    specification: str | PathLike[str] | None = None,", "    *,", *given, *extra[name],
                  f"    **dotted: Any,", f") -> {returned}:", textwrap.indent(f'"""{inspect.getdoc(function)}\n"""', "    "), ""]
    lines += ["def resume(folder: str | PathLike[str], **given: Any) -> Result: ...",
              "class Comparison(dict[str, Result]):", "    folder: str | None",
              "    def report(self, out: str | PathLike[str] | None = None) -> str: ...",
              "def compare(", "    variants: Mapping[str, Mapping[str, Any]], *, out: str | PathLike[str] | None = None, **common: Any",
              ") -> Comparison: ...",
              "def predict(result: Result, X: Any = None, *, rows: Any = None, cols: Any = None, offset: Any = None) -> ndarray: ..."]
    return "\n".join(lines) + "\n"


def of_value(value):
    if value is None:
        return "Any"
    if value == float("inf"):
        return "float"
    return type(value).__name__


def estimator_stub(kind):
    from claros.estimators import ATTRIBUTES, LIMITS, Estimator

    bases = [base.__name__ for base in kind.__mro__[1:] if base in (Estimator,)]
    lines = [f"class {kind.__name__}({', '.join(bases)}):",
             textwrap.indent('"""' + inspect.cleandoc(kind.__doc__) + '\n"""', "    ", lambda line: bool(line.strip()))]
    lines += [f"    {name}: {ATTRIBUTES[name][0]}" for name in kind._fitted]
    for name, (returned, _) in kind._derived.items():
        lines += ["    @property", f"    def {name}(self) -> {returned}: ..."]
    lines.append("    def __init__(")
    lines.append("        self,")
    for k, (name, value) in enumerate(kind._parameters.items()):
        limit = LIMITS.get(name)
        kind_of = f"Literal[{', '.join(map(repr, sorted(limit)))}]" if isinstance(limit, set) else of_value(value)
        shown = 'float("inf")' if value == float("inf") else repr(value)
        lines += [f"        {name}: {kind_of} = {shown},"] + (["        *,"] if k == 0 else [])
    lines.append("    ) -> None: ...")
    for name, member in inspect.getmembers(kind, inspect.isfunction):
        if name in ("fit", "predict", "predict_proba", "predict_log_proba", "predict_survival", "decision_function", "transform", "recommend", "fold_in",
                    "similar_items", "similar_users"):
            arguments = [("*, " if p.kind is p.KEYWORD_ONLY else "") + (p.name if p.default is p.empty else f"{p.name}: Any = {p.default!r}")
                         for p in inspect.signature(member).parameters.values()]
            returned = "Self" if name in ("fit", "fold_in") else "tuple[ndarray, ndarray]" if name in ("recommend", "similar_items", "similar_users") else "ndarray"
            lines += [f"    def {name}({', '.join(arguments)}) -> {returned}:", f'        """{inspect.getdoc(member)}"""']
    return lines + [""]


def estimators_stub(module):
    from claros.estimators import Estimator

    lines = [HEAD, f'"""{module.__doc__.strip()}\n"""', "from typing import Any, Literal", "", "from numpy import ndarray",
             "from typing_extensions import Self", "", "from .estimators import Estimator", "from .paths import Path",
             "from .result import Result", ""]
    for kind in vars(module).values():
        if inspect.isclass(kind) and issubclass(kind, Estimator) and kind.__module__ == module.__name__ \
                and not kind.__name__.startswith("_"):
            lines += estimator_stub(kind)
    return "\n".join(lines).rstrip() + "\n"


def made():
    """The files by their names."""
    files = {"components.pyi": components_stub(), "solving.pyi": solving_stub()}
    try:
        from claros import linear, matrix, survival
    except ImportError as reason:
        print(f"no stubs of estimators: {reason}")
        return files
    return {**files, **{f"{module.__name__.split('.')[1]}.pyi": estimators_stub(module) for module in (linear, matrix, survival)}}


if __name__ == "__main__":
    for name, text in made().items():
        path = pathlib.Path(sys.argv[1]) / name
        path.unlink(missing_ok=True)  # which may be a link to a source
        path.write_text(text)
