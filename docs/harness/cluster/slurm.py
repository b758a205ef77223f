"""Run a campaign on Slurm: one job for each node, with one Dask worker for each core, for as long as the campaign runs.

python slurm.py 8 --subject mylibrary --time 2h --out night
"""

import os
import subprocess
import sys

from dask_jobqueue import SLURMCluster

CORES = 16  # of a node


def main(jobs: int, options: list[str]) -> int:
    """Run a campaign with so many jobs, and return its exit status."""
    cluster = SLURMCluster(
        queue="compute",
        cores=CORES,
        processes=CORES,  # each worker has one thread
        memory="64GB",  # of a job
        walltime="03:00:00",  # longer than the campaign
        python=sys.executable,
        job_script_prologue=[f"export PYTHONPATH={os.environ.get('PYTHONPATH', '')}"],
        worker_extra_args=["--lifetime", "170m", "--lifetime-stagger", "5m"],  # each leaves before its job ends
    )
    with cluster:
        cluster.scale(jobs=jobs)
        where = ["--executor", f"dask:{cluster.scheduler_address}", "--wait", "1h"]
        return subprocess.run([sys.executable, "-m", "fuzz", "run", *where, *options], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
