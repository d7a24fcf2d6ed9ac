#!/usr/bin/env python3
"""Fitting speed of two builds of discern, in turn: does a change make anything slower?

    bench/versions.py OLD NEW [--data DIR] [--only NAME ...] [--rounds N] [--tolerance T]

OLD and NEW are build folders with bench/fit_bench in them (bench/fit.py --build DIR makes one). Both fit the problems
of bench/fit.py, in rounds that change the order, with 2 threads. A round's time is the shorter of two fits after a
first one that fetches the code. Printed are the least times of both, their ratio (above 1: the new
one is slower), the objectives, and the geometric mean of the ratios.
"""
import argparse
import json
import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fit_setup  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tolerance", type=float, default=1e-9)
    return parser.parse_args()


def measure(problem, data, given):
    """The least seconds and the objective of each build."""
    import fit_problems
    import fit_run
    builds = [fit_run.Discern(problem, data, build.resolve()) for build in (given.old, given.new)]
    tolerance = None if problem.kind == "epoch" else given.tolerance
    seconds, objectives = [math.inf, math.inf], [math.nan, math.nan]
    for round_ in range(given.rounds):
        for k in (0, 1) if round_ % 2 == 0 else (1, 0):
            answer, weights, bias = builds[k].run(tolerance, 600, repeats=3)
            seconds[k] = min(seconds[k], answer["seconds"])
            objectives[k] = fit_problems.objective(problem, data, weights, bias)
    return seconds, objectives


def main():
    given = arguments()
    if pathlib.Path(sys.prefix).resolve() != fit_setup.VENV.resolve():
        fit_setup.install_peers()
        os.execv(fit_setup.PYTHON, [str(fit_setup.PYTHON), *sys.argv])
    import fit_measure
    import fit_problems
    fit_setup.DATA.mkdir(parents=True, exist_ok=True)
    ratios = []
    print(f"{'problem':<22} {'old s':>10} {'new s':>10} {'new/old':>8}  objectives", flush=True)
    for problem in fit_measure.chosen(argparse.Namespace(only=given.only, quick=False)):
        if problem.kind == "file" or (problem.data in fit_problems.REAL and given.data is None):
            print(f"{problem.name:<22} left out: {'whole commands are not compared' if problem.kind == 'file' else 'no --data'}")
            continue
        base = fit_problems.prepare(problem.data, fit_setup.DATA, 1, given.data)
        (old, new), objectives = measure(problem, fit_problems.load(problem, base), given)
        ratios.append(new / old)
        print(f"{problem.name:<22} {old:10.4g} {new:10.4g} {new / old:8.3f}  {objectives[0]:.12g} {objectives[1]:.12g}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(json.dumps({"geometric_mean": round(mean, 4), "worst": round(max(ratios), 4), "problems": len(ratios)}))


if __name__ == "__main__":
    main()
