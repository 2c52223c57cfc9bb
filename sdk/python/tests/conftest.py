# SPDX-License-Identifier: BSD-3-Clause
"""The package of the build tree is the one that is tested."""
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if "CLAROS_PYTHON_PATH" in os.environ:
    sys.path.insert(0, os.environ["CLAROS_PYTHON_PATH"])
