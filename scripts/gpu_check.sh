#!/bin/sh
# Everything that only a machine with a CUDA device can show: the tests marked gpu, then the speed of
# perft, lists of moves and analyses, with every result checked. Needs Python 3.12 or so with CuPy,
# numba-cuda and pytest, no network and no installation.
#
#     scripts/gpu_check.sh [--out FOLDER]     writes gpu-<card>.json there, by default to benchmarks/
set -eu
cd "$(dirname "$0")/.."
export PYTHONPATH=. PYTHONUNBUFFERED=1
PYTHON=${PYTHON:-python3}
BEGUN=$(date +%s)
"$PYTHON" -m pytest --noconftest -p no:cacheprovider -W ignore::DeprecationWarning -rs tests/test_gpu.py
# Eight minutes in all, some seconds of them to end.
exec "$PYTHON" scripts/gpu_check.py --seconds $((450 - $(date +%s) + BEGUN)) "$@"
