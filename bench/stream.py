#!/usr/bin/env python3
"""Learning from a stream, side by side: discern fit - --stream against Vowpal Wabbit.

    bench/stream.py [--rows N] [--features D] [--runs N] [--build DIR]

Builds discern in build/bench (or DIR), installs Vowpal Wabbit into build/bench-fit-venv (bench/fit_setup.py), generates a
million examples of D numbers (20) with two classes in build/bench-data (fixed seed), once as CSV and once in Vowpal
Wabbit's own text format with the same digits, and pipes N examples (10 million: the file ten times over) through `cat`
into each learner in a fresh process, in turn. Both minimise the logistic loss by plain stochastic gradient descent with
the same steps, one per example in the order given, h / sqrt(l) with h = 0.5, on the features as they are, without a
penalty: --sgd -l 0.5 --power_t 0.5 --initial_t 1 there (which counts l from 2), --learning-rate 0.5 --no-standardize
--l2 0 here; the progressive losses agree. A third row is discern with its defaults, which learns the scales of the
columns too. The package has no program vw; its driver (parser thread and learner, all in C++) is run through the
module, as `vw -d` would.

Prints the best of N runs: examples a second from the start of the process to its end, the ratio, processor seconds, the
peak resident memory, and the progressive loss.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from fit_setup import BUILD, DATA, PYTHON, build_discern, install_peers

H = 0.5
MILLION = 1_000_000
WABBIT = """
import sys, vowpalwabbit
vowpalwabbit.Workspace("-d /dev/stdin --no_stdin --loss_function logistic --sgd -l {h} --power_t 0.5 --initial_t 1 -b 18 -P 1000000000").finish()
"""


def generate(path, rows, features):
    """Both files: labels by a plane with noise, numbers of four decimals."""
    wabbit = path.with_suffix(".vw")
    if path.exists() and wabbit.exists():
        return wabbit
    script = """
import sys, numpy
path, wabbit, rows, features = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random = numpy.random.default_rng(7)
plane = random.normal(size=features)
with open(path + ".part", "w") as csv, open(wabbit + ".part", "w") as vw:
    for first in range(0, rows, 100000):
        count = min(100000, rows - first)
        x = random.normal(size=(count, features)).round(4)
        y = x @ plane + 2 * random.logistic(size=count) > 0
        for row, label in zip(x.tolist(), y.tolist()):
            cells = [repr(v) for v in row]
            csv.write(",".join(cells) + (",yes\\n" if label else ",no\\n"))
            vw.write(("1 |" if label else "-1 |") + "".join(f" x{j}:{v}" for j, v in enumerate(cells)) + "\\n")
import os
os.rename(path + ".part", path)
os.rename(wabbit + ".part", wabbit)
"""
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([PYTHON, "-c", script, path, wabbit, str(rows), str(features)], check=True)
    return wabbit


def piped(paths, command):
    """Seconds, processor seconds, peak bytes and what was said, with the files piped in."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        cat = subprocess.Popen(["cat", *paths], stdout=subprocess.PIPE)
        process = subprocess.Popen(command, stdin=cat.stdout, stdout=said, stderr=said)
        cat.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        cat.wait()
        said.seek(0)
        text = said.read().decode()
    if status != 0:
        sys.exit(f"{command[0]} failed:\n{text}")
    return dict(seconds=seconds, cpu=used.ru_utime + used.ru_stime, peak=used.ru_maxrss * 1024, said=text)


def loss_of(said):
    found = re.search(r"average loss = ([0-9.]+)", said)
    if found:
        return float(found.group(1))
    return json.loads(said.splitlines()[-1])["facts"]["progressive_loss"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--build", type=pathlib.Path, default=BUILD / "bench")
    options = parser.parse_args()
    install_peers()
    build_discern(options.build)
    times = max(1, options.rows // MILLION)
    rows = times * MILLION
    csv = DATA / f"stream-{options.features}.csv"
    wabbit = [generate(csv, MILLION, options.features)] * times
    header = DATA / f"stream-{options.features}-header.csv"
    header.write_text(",".join([f"x{j}" for j in range(options.features)] + ["class"]) + "\n")
    csv = [header] + [csv] * times
    discern = [options.build / "cli" / "discern", "fit", "-", "--target", "class", "--stream", "--json"]
    same = [*discern, "--learning-rate", str(H), "--no-standardize", "--l2", "0"]
    learners = [("Vowpal Wabbit", wabbit, [PYTHON, "-c", WABBIT.format(h=H)]), ("discern", csv, same),
                ("discern, scales learned", csv, discern)]
    best = {}
    for _ in range(options.runs):
        for name, paths, command in learners:
            run = piped(paths, command)
            if name not in best or run["seconds"] < best[name]["seconds"]:
                best[name] = run
    reference = best["Vowpal Wabbit"]["seconds"]
    print(f"{rows:,} examples of {options.features} numbers, through a pipe; best of {options.runs}")
    print(f"{'':26}{'examples/s':>14}{'ratio':>8}{'cpu s':>8}{'peak MB':>9}{'progressive loss':>18}")
    for name, run in best.items():
        print(f"{name:26}{rows / run['seconds']:14,.0f}{reference / run['seconds']:8.2f}{run['cpu']:8.2f}"
              f"{run['peak'] / 1e6:9.1f}{loss_of(run['said']):18.6f}")


if __name__ == "__main__":
    main()
