#!/usr/bin/env python3
"""Fitting speed, side by side: discern against scikit-learn, LIBLINEAR, glmnet, skglm, celer and Vowpal Wabbit.

    bench/fit.py [--data DIR] [--only NAME ...] [--rounds N] [--quick] [--write] [--cap SECONDS]
                 [--variant NAME=VALUE ...] [--peers-only] [--build DIR]

Installs the peers under build/, builds bench/fit_bench, generates the data (fixed seeds), and gives every solver the
same problem with 2 threads. Each solver climbs a ladder of tolerances; the objective of what it returns is computed
here, in double precision, whatever it claims. Charged is the fit at the loosest tolerance whose objective is within
1e-6 (1e-9) of the best that anybody found, relative to it. Those fits are then repeated in turn, N rounds, by discern
and by all peers within a factor 3 of the best one; a ratio is the geometric mean over the rounds of best peer / discern.

DIR holds libsvm/a9a.svm, libsvm/news20_counts_train.svm.gz and idx/mnist-train-*.gz; without it those problems are left
out. --quick runs small versions of the others. --variant adds discern with one more option, such as solver=lbfgs.
--write puts the tables into bench/RESULTS.md.
"""
import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fit_setup  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--cap", type=float, default=300, help="seconds that one fit may take")
    parser.add_argument("--variant", nargs="+", default=[])
    parser.add_argument("--peers-only", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=fit_setup.BUILD / "bench")
    return parser.parse_args()


def main():
    given = arguments()
    if pathlib.Path(sys.prefix).resolve() != fit_setup.VENV.resolve():
        fit_setup.install_peers()
        if not given.peers_only:
            fit_setup.build_discern(given.build)
        os.execv(fit_setup.PYTHON, [str(fit_setup.PYTHON), *sys.argv])
    import fit_measure
    import fit_report
    fit_setup.DATA.mkdir(parents=True, exist_ok=True)
    report = fit_report.Report(given)
    for problem in fit_measure.chosen(given):
        if problem.data in fit_measure.REAL and given.data is None:
            report.left_out(problem)
            continue
        report.add(fit_measure.measure(problem, given))
    report.finish()


if __name__ == "__main__":
    main()
