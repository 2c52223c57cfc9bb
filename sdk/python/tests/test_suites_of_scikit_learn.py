# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's own tests of classes whose names Claros has, on ours through a thin map of parameters (scikit_learn_names.py):
everything passes but what docs/guides/coming-from.md lists as another definition. The map is for one version."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

sklearn = pytest.importorskip("sklearn")
pytest.importorskip("sklearn.linear_model.tests.test_huber")
pytestmark = pytest.mark.skipif(not sklearn.__version__.startswith("1.2."), reason="the tests are those of scikit-learn 1.2")

HINTS = ["test_elasticnet_precompute_incorrect_gram", "test_overrided_gram_matrix", "test_lassoCV_does_not_set_precompute[True-True]",
         "test_lassoCV_does_not_set_precompute[auto-False]", "test_lassoCV_does_not_set_precompute[False-False]",
         "test_check_input_false", "test_enet_copy_X_False_check_input_False"]
STEPS = ["test_multi_task_lasso_and_enet", "test_warm_start_convergence_with_regularizer_decrement", "test_sparse_input_convergence_warning",
         *(f"test_enet_coordinate_descent[{kind}]" for kind in ("Lasso-1-kwargs0", "Lasso-1-kwargs1", "MultiTaskLasso-2-kwargs2",
                                                                "MultiTaskLasso-2-kwargs3"))]
# What fails, by the rows of the table in the guide.
OTHER = {
    "coordinate_descent": [*HINTS, *STEPS, "test_lasso_alpha_warning", "test_enet_l1_ratio", "test_enet_nonfinite_params",
                           "test_lasso_dual_gap"],
    "sparse_coordinate_descent": ["test_sparse_enet_coordinate_descent"],
    "quantile": ["test_incompatible_solver_for_sparse_input[interior-point]", "test_incompatible_solver_for_sparse_input[revised simplex]",
                 "test_linprog_failure", "test_warning_new_default", "test_error_interior_point_future",
                 "test_quantile_equals_huber_for_low_epsilon[True]", "test_quantile_equals_huber_for_low_epsilon[False]"],
    "huber": ["test_huber_max_iter", "test_huber_sample_weights", "test_huber_warm_start"],
}


@pytest.mark.parametrize("suite", OTHER)
def test_all_tests_of_scikit_learn_pass_but_those_of_another_definition(suite, tmp_path):
    here = pathlib.Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "-p", "scikit_learn_names", "--pyargs", "--tb=no",
         f"sklearn.linear_model.tests.test_{suite}"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([os.fspath(here), os.environ.get("PYTHONPATH", "")])})
    failed = re.findall(r"^(?:FAILED|ERROR) .*?::(.*?)(?: - .*)?$", done.stdout, re.M)
    assert re.search(r"\d+ passed", done.stdout), done.stdout[-2000:] + done.stderr[-2000:]
    assert sorted(failed) == sorted(OTHER[suite])
