#!/usr/bin/env bash
# Start a Dask worker for each core of this machine: workers.sh tcp://SCHEDULER:8786
set -euo pipefail
address=$1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
exec python -m dask worker "$address" --nworkers "$(nproc)" --nthreads 1 --no-dashboard
