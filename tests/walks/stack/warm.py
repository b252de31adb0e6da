"""Loaded, beside tests.walks.warm, by the process that workers are forked from: what talks to Google's servers."""

from __future__ import annotations

import threading

import worker.adapters.gcs
import worker.adapters.gcs_artifacts
import worker.adapters.spans
import worker.commands.work  # noqa: F401 loaded for the forks, as the others

assert threading.active_count() == 1, "a fork would lose the other threads"
