# SPDX-License-Identifier: BSD-3-Clause
"""How many threads a solve takes where the caller does not say it."""
import functools
import math
import os
from pathlib import Path


@functools.cache
def _quota():
    """The share of processors that the control group of this process may use, or infinity."""
    try:
        limit, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return math.inf if limit == "max" else int(limit) / int(period)
    except (OSError, ValueError):
        pass
    try:
        root = Path("/sys/fs/cgroup/cpu")
        limit = int((root / "cpu.cfs_quota_us").read_text())
        return limit / int((root / "cpu.cfs_period_us").read_text()) if limit > 0 else math.inf
    except (OSError, ValueError):
        return math.inf


def _within_joblib():
    return "JOBLIB_SPAWNED_PROCESS" in os.environ or "LOKY_WORKER" in os.environ or _is_loky_worker()


def _is_loky_worker():
    import sys

    process = sys.modules.get("multiprocessing.process")
    name = process.current_process().name if process else ""
    return name.startswith("LokyProcess") or name.startswith("ForkPoolWorker")


def default_threads():
    """The processors that this process may use: by affinity and control group; 1 within workers of joblib."""
    if _within_joblib():
        return 1
    return int(max(1, min(len(os.sched_getaffinity(0)), _quota() // 1, 256)))
