# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cholesky_starpu on processors alone, on OpenCL alone and on both, each on processors of its own, and some of the
examples that come with StarPU.

The program compares its result itself, to the bit. What is looked at here: that the kinds of workers that ought to have
worked have, that the driver's threads and StarPU's CPU workers have no processor in common, and the same over MPI.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

PROGRAM, *MPI = sys.argv[1:]
# Those with implementations for OpenCL whose kernels Debian's package has with all their headers.
FROM_STARPU = {"vector_scal": "Computation is correct", "incrementer": "elems took", "variable": "variable ->",
               "matvecmult": "", "fblock": "", "block_data_interface": "", "bcsr_data_interface": "",
               "coo_data_interface": "", "csr_data_interface": "", "matrix_data_interface": "",
               "multiformat_data_interface": "", "variable_data_interface": "", "vector_data_interface": ""}
EXAMPLES = glob.glob("/usr/lib/*/starpu/examples")
PROCESSORS = sorted(os.sched_getaffinity(0))


def environment(home, processors, opencl, **more):
    return {**os.environ, "STARPU_HOME": home, "STARPU_SILENT": "1", "STARPU_NCPU": str(processors),
            "STARPU_NOPENCL": str(opencl), "STARPU_OPENCL_ON_CPUS": "1", "STARPU_OPENCL_ONLY_ON_CPUS": "1", **more}


def fail(why, output=""):
    print(why)
    print(output)
    sys.exit(1)


def masks_of(process):
    """The processors of each thread by its name, as long as the process lives."""
    masks = []
    for task in glob.glob(f"/proc/{process}/task/*"):
        try:
            with open(task + "/status") as file:
                status = file.read()
        except OSError:
            continue
        text = re.search(r"Cpus_allowed_list:\s*(\S+)", status).group(1)
        cpus = set()
        for part in text.split(","):
            low, _, high = part.partition("-")
            cpus.update(range(int(low), int(high or low) + 1))
        masks.append((task.rsplit("/", 1)[1], re.search(r"Name:\s*(.*)", status).group(1), frozenset(cpus)))
    return masks


def run(env, watch=False):
    process = subprocess.Popen([PROGRAM, "8", "96"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seen = set()
    while watch and process.poll() is None:
        seen.update(masks_of(process.pid))
        time.sleep(0.02)
    output = process.communicate(timeout=200)[0].decode()
    if process.returncode != 0:
        fail(f"cholesky_starpu ended with {process.returncode}", output)
    print(output.replace("\n", "; "))
    tasks = re.search(r"tasks: (\d+) on processors, (\d+) on OpenCL", output)
    return int(tasks.group(1)), int(tasks.group(2)), {mask for mask in seen if mask[0] != str(process.pid)}


def main():
    with tempfile.TemporaryDirectory() as home:
        if run(environment(home, 1, 0))[1] != 0:
            fail("tasks ran on OpenCL without a worker for it")
        if run(environment(home, 0, 1))[0] != 0:
            fail("tasks ran on processors without a worker for it")
        if len(PROCESSORS) >= 2:
            # StarPU binds CPU workers to the first processors.
            last = PROCESSORS[-1]
            on_processors, on_opencl, masks = run(environment(
                home, 1, 1, HEDDLE_PROCESSORS=str(last)), watch=True)
            if on_processors == 0 or on_opencl == 0:
                fail("one of the two kinds of workers had nothing to do")
            workers = {mask for mask in masks if mask[1].startswith("CPU")}
            others = {mask for mask in masks if not mask[1].startswith("CPU") and mask[2] == {last}}
            if not workers or not others or any(mask[2] & {last} for mask in workers):
                fail(f"workers share processors: {sorted(masks)}")
        if MPI:
            root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
            command = [MPI[1], "-n", "2", "--oversubscribe", "--bind-to", "none", MPI[0], "6", "64"]
            done = subprocess.run(command, env=environment(home, 0, 1, **root), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=200)
            output = done.stdout.decode()
            if done.returncode != 0 or "processes: 2" not in output or "tasks: 0 on processors" not in output:
                fail(f"cholesky_starpu_mpi ended with {done.returncode}", output)
            print(output.replace("\n", "; "))
        for name, wanted in FROM_STARPU.items():
            for path in EXAMPLES:
                if not os.access(f"{path}/{name}", os.X_OK):
                    continue
                done = subprocess.run([f"{path}/{name}"], env=environment(home, 0, 1), stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=100)
                output = done.stdout.decode()
                if done.returncode == 77:
                    print(f"{name}: no implementation for OpenCL")
                elif done.returncode != 0 or wanted not in output:
                    fail(f"StarPU's example {name} ended with {done.returncode}", output)
                else:
                    print(f"{name}: done")


main()
