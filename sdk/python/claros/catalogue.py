# SPDX-License-Identifier: BSD-3-Clause
"""The components that can be composed, and the pages of `claros describe`."""
from . import _claros


def components(kind=None):
    """Names of the usable components of a kind ("set", "penalty", ...); without one, a dict of all kinds."""
    found = {}
    for row in _claros.components():
        if row["state"] == "usable":
            found.setdefault(row["kind"], []).append(row["name"])
    found = {name: sorted(names) for name, names in found.items()}
    if kind is None:
        return found
    if kind not in found:
        from difflib import get_close_matches

        from .errors import UsageError

        near = get_close_matches(str(kind), found, 1)
        raise UsageError([("kind", f"{kind!r} is not a kind of component",
                           f"did you mean {near[0]!r}?" if near else f"write one of {', '.join(found)}")])
    return found[kind]


class Description(dict):
    """The page of a component or a section: its mathematics, parameters and roles. Printed as text."""

    def __repr__(self):
        lines = [f"{self['kind']}/{self['name']}: {self['summary']}"]
        if self["description"] != self["summary"]:
            lines += ["", self["description"]]
        if self["guidance"]:
            lines += ["", self["guidance"]]
        rows = [(row["name"], row["default"] or "required", row["range"] or row["type"], row["meaning"])
                for row in self["parameters"]]
        rows += [(role["name"], role["default"] or "-", f"a {role['kind']}", role["meaning"]) for role in self["roles"]]
        widths = [max((len(row[k]) for row in rows), default=0) for k in range(2)]
        lines += [""] * bool(rows) + [f"  {a:{widths[0]}}  {b:{widths[1]}}  {meaning} [{kind}]" for a, b, kind, meaning in rows]
        if self["citation"]:
            lines += ["", f"source: {self['citation']}"]
        return "\n".join(lines)


def describe(name):
    """What `claros describe NAME` prints, as a dict with a readable form: describe("penalty/l1")."""
    return Description(_claros.describe(name))


class Examination(dict):
    """The verdict of the conformance kit, "passed", "incomplete" or "failed", and a dict a test. Printed as text."""

    def __repr__(self):
        failed = [f"  {row['test']}: {row['observed']}" + (f" (likely: {row['mistake']})" if row["mistake"] else "")
                  for row in self["results"] if row["outcome"] == "failed"]
        counts = {outcome: sum(row["outcome"] == outcome for row in self["results"])
                  for outcome in ("passed", "failed", "skipped")}
        heading = f"{self['verdict']}: " + ", ".join(f"{count} tests {outcome}" for outcome, count in counts.items())
        return "\n".join([heading, *failed])


def doctor(component, only=()):
    """Runs the tests of `claros doctor` on an object of Python: whether it is what its kind promises.

    only: names of tests; without them all of the kind. The tests run in this process.
    """
    from .solving import wait_for

    return Examination(wait_for(_claros.doctor(component, list(only))))
