# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docstrings run, and what docstrings lead to exists."""
import doctest
import importlib
import inspect
import re
import sys
import warnings

import pytest

import claros

pytest.importorskip("sklearn")
from claros import inference, linear, matrix, survival  # noqa: E402
from claros.estimators import Estimator  # noqa: E402

MODULES = (claros, inference, linear, matrix, survival)
NAMED = {f"{kind.__module__}.{kind.__name__}": kind for module in MODULES for kind in (*vars(module).values(), claros.Table)
         if callable(kind) and getattr(kind, "__module__", "").startswith("claros.") and not kind.__name__.startswith("_")}
EXAMPLES = [kind for kind in (*NAMED.values(), inference) if ">>>" in (kind.__doc__ or "")]
ESTIMATORS = [kind for kind in NAMED.values() if inspect.isclass(kind) and issubclass(kind, Estimator) and kind is not Estimator]

@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_an_example_of_a_docstring_runs(kind):
    pytest.importorskip("pandas")
    example = doctest.DocTestParser().get_doctest(kind.__doc__, {}, kind.__name__, None, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_a_docstring_leads_to_the_form_with_folds_to_scikit_learn_and_to_the_components(kind):
    assert kind in EXAMPLES
    text = kind.__doc__.partition("\nSee also\n")[2]
    for component in re.findall(r"claros\.describe\('(.*)'\)", text):
        assert claros.describe(component)["name"] == component.partition("/")[2]
    assert "claros.describe(" in text
    classes = re.findall(r"^    ((?:claros|sklearn)\.\w+)\.(\w+)(?::|$)", text, re.M)
    for module, name in classes:
        assert inspect.isclass(getattr(importlib.import_module(module), name))
    own = sys.modules[kind.__module__]
    other = kind.__name__.removesuffix("CV") if kind.__name__.endswith("CV") else kind.__name__ + "CV"
    assert ((kind.__module__, other) in classes) == (other in vars(own))
