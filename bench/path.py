#!/usr/bin/env python3
"""Regularisation paths, side by side: discern against glmnet, celer and skglm, one run each.

    bench/path.py [--data DIR] [--only lasso|logistic] [--peers NAME ...] [--points N] [--ratio R] [--quick] [--cap SECONDS]
                  [--tool build/release/cli/discern]

lasso      least squares with l1 and a free bias on 2,000 x 20,000 (the data `wide` of bench/fit.py)
logistic   two-class l1-logistic without a bias on the word counts of news20 (DIR/libsvm/news20_counts_train.svm.gz):
           the five groups comp.* against the other fifteen; left out without --data

discern chooses the penalties, from the one that leaves no weight down to R of it; the others follow the same ones, with warm
starts as they have them, each with 2 threads where it can use them. The time is that of the path alone, on data in memory in
the layout that the library likes best; the time of the processors, which a busy machine does not change, stands beside it (of
discern with reading the file and writing the table of weights). The objective of every point is computed here from the weights, in double precision;
a tolerance is charged when no point is worse than the best that anybody found by more than 1e-6 of it: each peer starts with
a loose one and tightens it until that holds. Peers come from PyPI (bench/fit.py installs them) and glmnet from R's library.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fit_setup  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCES = {"glmnet": (1e-7, 1e-9, 1e-11), "celer": (1e-4, 1e-6, 1e-8), "skglm": (1e-4, 1e-6, 1e-8)}
ENOUGH = 1e-6


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--only", choices=["lasso", "logistic"])
    parser.add_argument("--peers", nargs="*", default=list(TOLERANCES))
    parser.add_argument("--points", type=int, default=100)
    parser.add_argument("--ratio", type=float, help="0.01 for the lasso, 0.0001 for the word counts")
    parser.add_argument("--quick", action="store_true", help="a tenth of the lasso's rows and columns")
    parser.add_argument("--cap", type=float, default=600, help="seconds that one path may take")
    parser.add_argument("--tool", type=pathlib.Path, default=fit_setup.BUILD / "release" / "cli" / "discern")
    return parser.parse_args()


class Case:
    """The data of a problem, the files that discern and the peers read, and its objective."""

    def __init__(self, name, given):
        import fit_problems
        import numpy as np
        import scipy.sparse as sparse
        self.name, self.np = name, np
        shrink = 10 if given.quick and name == "lasso" else 1
        base = fit_problems.prepare("wide" if name == "lasso" else "news20", fit_setup.DATA, shrink, given.data)
        self.base = f"{base}-path"
        y = np.load(f"{base}-y.npy")
        if name == "lasso":
            self.x, self.y = np.load(f"{base}.npy"), y
            self.file = f"{self.base}.npy"
            np.save(self.file, np.column_stack([self.x, y]))
            self.flags = ["--target", f"x{self.x.shape[1] + 1}", "--model", "lasso", "--task", "regression"]
            self.by_column = np.asfortranarray(self.x)
            self.by_column.T.tofile(f"{self.base}.x")
        else:
            self.x = sparse.load_npz(f"{base}.npz").tocsr()
            self.y = ((y >= 1) & (y <= 5)).astype(np.int64)  # comp.* in the order of the classes
            self.file = f"{self.base}.svm"
            fit_problems.write_svm(self.file, self.x, self.y)
            self.flags = ["--model", "logistic", "--no-bias"]
            self.by_column = self.x.tocsc()
            self.by_column.data.tofile(f"{self.base}.x")
            self.by_column.indices.astype(np.int32).tofile(f"{self.base}.i")
            self.by_column.indptr.astype(np.int32).tofile(f"{self.base}.p")
        self.y.astype(np.float64).tofile(f"{self.base}.y")
        np.savez(f"{self.base}.npz", rows=self.x.shape[0], columns=self.x.shape[1])

    def objectives(self, l1, weights, bias):
        """E at every point, of weights (points x features)."""
        np = self.np
        scores = np.asarray(self.x @ weights.T) + bias
        if self.name == "lasso":
            loss = 0.5 * np.square(self.y[:, None] - scores).sum(axis=0)
        else:
            loss = np.logaddexp(0, -(2 * self.y[:, None] - 1) * scores).sum(axis=0)
        return loss + l1 * np.abs(weights).sum(axis=1)


def run_discern(case, given):
    np = case.np
    ratio = given.ratio or (0.01 if case.name == "lasso" else 1e-4)
    table = f"{case.base}.csv"
    command = [given.tool, "path", case.file, *case.flags, "--no-standardize", "--points", str(given.points), "--ratio",
               str(ratio), "--threads", str(fit_setup.THREADS), "--json", "--csv", table]
    before = os.times()
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    after = os.times()
    processors = after.children_user + after.children_system - before.children_user - before.children_system
    with open(table) as file:
        rows = csv.reader(file)
        first = [name.partition("(")[0] for name in next(rows)].index("b")  # b or b(CLASS)
        numbers = np.array([[float(cell) for cell in row[first:]] for row in rows])
    l1 = np.array([point["l1"] for point in said["points"]])
    certified = sum(point["converged"] for point in said["points"])
    times = (said["seconds"]["path"], processors)
    return l1, times, case.objectives(l1, numbers[:, 1:], numbers[:, 0]), certified, numbers


def run_peer(case, peer, tolerance, given):
    """Times, objectives and version of a peer's path; None when it takes too long."""
    np = case.np
    out = f"{case.base}-{peer}.out"
    if peer == "glmnet":
        command = ["Rscript", HERE / "path_glmnet.R"]
    else:
        command = [fit_setup.PYTHON, HERE / "path_peers.py", peer]
    try:
        done = subprocess.run([*command, case.base, case.name, str(case.x.shape[0]), str(case.x.shape[1]), str(tolerance), out],
                              env=fit_setup.environment(), capture_output=True, text=True, timeout=given.cap + 60)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        raise SystemExit(f"{peer}: {done.stderr[-2000:]}")
    said = json.loads(done.stdout.splitlines()[-1])
    numbers = np.fromfile(out).reshape(-1, case.x.shape[1] + 1)
    return (said["seconds"], said["cpu"]), case.objectives(case.l1, numbers[:, 1:], numbers[:, 0]), said["version"]


def measure(name, given):
    case = Case(name, given)
    np = case.np
    case.l1, times, ours, certified, numbers = run_discern(case, given)
    case.l1.tofile(f"{case.base}.l1")
    nonzero = np.count_nonzero(numbers[-1, 1:])
    print(f"{name}: {case.x.shape[0]} x {case.x.shape[1]}, {len(case.l1)} points, l1 from {case.l1[0]:.4g} to "
          f"{case.l1[-1]:.4g}, {nonzero} weights at the end", flush=True)
    results = {"discern": [("", times, ours)]}
    best = ours.copy()
    for peer in given.peers:
        results[peer] = []
        for tolerance in TOLERANCES[peer]:
            found = run_peer(case, peer, tolerance, given)
            if found is None:
                print(f"  {peer} at {tolerance:g} took more than {given.cap:g} s", flush=True)
                break
            results[peer].append((f"{found[2]} at {tolerance:g}", *found[:2]))
            best = np.minimum(best, found[1])
            if ((found[1] - best) / best).max() <= ENOUGH:
                break
    print(f"  {'':28} {'seconds':>8} {'processor':>9}  worst relative excess of a point")
    for peer, runs in results.items():
        for what, took, objective in runs:
            print(f"  {peer + ' ' + what:28} {took[0]:8.2f} {took[1]:9.2f}  {((objective - best) / best).max():.1e}")
    print(f"  {certified} of {len(case.l1)} points of discern are certified", flush=True)


def main():
    given = arguments()
    if pathlib.Path(sys.prefix).resolve() != fit_setup.VENV.resolve():
        fit_setup.install_peers()
        os.execv(fit_setup.PYTHON, [str(fit_setup.PYTHON), *sys.argv])
    fit_setup.DATA.mkdir(parents=True, exist_ok=True)
    for name in [given.only] if given.only else ["lasso", "logistic"]:
        if name == "logistic" and given.data is None:
            print("logistic: left out without --data")
            continue
        measure(name, given)


if __name__ == "__main__":
    main()
