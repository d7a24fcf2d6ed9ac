#!/usr/bin/env python3
"""Discriminants from densities, side by side with scikit-learn: lda, qda, fisher and naive-bayes.

    bench/generative.py [--runs N] [--only NAME ...] [--rows N] [--features D] [--classes K] [--build DIR]
                        [--counts FILE]

Builds bench/fit_bench in build/bench (or DIR), installs scikit-learn into build/bench-fit-venv, generates Gaussian
classes in build/bench-data (fixed seed), and fits every model in a fresh process with 2 threads, in turn, N rounds. Only
the call of fit is timed, on data that are in memory. Prints the best time of discern and that of scikit-learn's fastest solver, how many
times faster discern is, and which part of what the machine can do it reached: of the speed at which it reads memory, or, where the
products of rows (the lower triangle, rows x features^2 operations) would take longer than reading, of that of large matrix products.
With FILE, word counts in LIBSVM format, also multinomial naive Bayes of them: the fit alone, and the file read and fitted.
"""
import argparse
import json
import pathlib
import subprocess
import sys

from fit_setup import BUILD, DATA, PYTHON, THREADS, build_discern, environment, install_peers

LDA = "sklearn.discriminant_analysis.LinearDiscriminantAnalysis"
QDA = "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis"
# name -> (model and options of discern, what does the same in scikit-learn: the fastest is compared with,
#          how often the rows are read, how often they are multiplied)
PROBLEMS = {
    "lda": (["lda"], [f"{LDA}(solver='{solver}')" for solver in ("svd", "lsqr", "eigen")], 1, 1),
    "lda, Ledoit-Wolf": (["lda", "shrinkage=ledoit-wolf"],
                         [f"{LDA}(solver='{solver}', shrinkage='auto')" for solver in ("lsqr", "eigen")], 2, 1),
    "qda": (["qda"], [f"{QDA}(solver='{solver}')" for solver in ("svd", "eigen")], 1, 1),
    "fisher": (["fisher"], [f"{LDA}(solver='{solver}')" for solver in ("svd", "eigen")], 1, 1),
    "naive-bayes": (["naive-bayes"], ["sklearn.naive_bayes.GaussianNB()"], 1, 0),
}

GENERATE = """
import sys, numpy
rows, features, classes = map(int, sys.argv[3:6])
random = numpy.random.default_rng(1)
y = random.integers(0, classes, rows)
x = random.standard_normal((rows, features)) @ random.standard_normal((features, features))
x += random.standard_normal((classes, features))[y]
numpy.save(sys.argv[1], x)
numpy.save(sys.argv[2], y.astype(float))
"""

PEER = """
import json, sys, time
import numpy, sklearn.discriminant_analysis, sklearn.naive_bayes
x, y = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
model = {model}
start = time.perf_counter()
model.fit(x, y)
print(json.dumps(dict(seconds=time.perf_counter() - start, version=sklearn.__version__)))
"""

# Prints the seconds of the fit, or with "read" those of reading the file, too.
COUNTS = """
import json, sys, time
import sklearn.datasets, sklearn.naive_bayes
start = time.perf_counter()
x, y = sklearn.datasets.load_svmlight_file(sys.argv[1])
if sys.argv[2] != "read":
    start = time.perf_counter()
sklearn.naive_bayes.MultinomialNB().fit(x, y)
print(json.dumps(dict(seconds=time.perf_counter() - start)))
"""


def output(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment())
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def reached(seconds, bytes_read, operations, machine):
    reading, products = bytes_read / 1e9 / machine["bandwidth"], operations / 1e9 / machine["products"]
    if reading > products:
        return f"{reading / seconds:.0%} of {machine['bandwidth']:.0f} GB/s"
    return f"{products / seconds:.0%} of {machine['products']:.0f} GFLOP/s"


def line(name, ours, theirs, limit, peer):
    print(f"  {name:<20}{ours:>10.4f}{theirs:>16.4f}{theirs / ours:>11.1f}x{limit:>20}   {peer}")


def measure(name, files, runs, bench, machine, shape):
    ours, peers, passes, products = PROBLEMS[name]
    best = {}
    for _ in range(runs):
        results = {"discern": output([bench, ours[0], *files, *ours[1:], f"threads={THREADS}"])}
        results |= {peer: output([PYTHON, "-c", PEER.format(model=peer), *files]) for peer in peers}
        for who, result in results.items():
            if who not in best or result["seconds"] < best[who]["seconds"]:
                best[who] = result
    fastest = min(peers, key=lambda peer: best[peer]["seconds"])
    seconds, bytes_read = best["discern"]["seconds"], best["discern"]["bytes"]
    limit = reached(seconds, passes * bytes_read, products * shape[0] * shape[1] ** 2, machine)
    line(name, seconds, best[fastest]["seconds"], limit, fastest.rpartition(".")[2])


def measure_counts(file, runs, build, machine):
    fit = [build / "bench" / "fit_bench", "naive-bayes", file, "density=multinomial", f"threads={THREADS}"]
    whole = [build / "cli" / "discern", "fit", file, "--target", "label", "--model", "naive-bayes", "--density", "multinomial",
             "--threads", THREADS, "--json", "--quiet"]
    theirs = [PYTHON, "-c", COUNTS, file]
    seconds = {"fit": [], "read": []}
    for _ in range(runs):
        fitted = output(fit)
        seconds["fit"].append((fitted["seconds"], output([*theirs, "fit"])["seconds"]))
        seconds["read"].append((output(whole)["seconds"]["total"], output([*theirs, "read"])["seconds"]))
    for kind, name in (("fit", "multinomial"), ("read", "multinomial, file")):
        ours, peer = (min(pair[k] for pair in seconds[kind]) for k in (0, 1))
        limit = reached(ours, fitted["bytes"], 0, machine) if kind == "fit" else ""
        line(name, ours, peer, limit, "MultinomialNB()")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--features", type=int, default=50)
    parser.add_argument("--classes", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=list(PROBLEMS), default=list(PROBLEMS))
    parser.add_argument("--counts", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=BUILD / "bench")
    arguments = parser.parse_args()
    install_peers()
    build_discern(arguments.build)
    DATA.mkdir(parents=True, exist_ok=True)
    shape = [arguments.rows, arguments.features, arguments.classes]
    files = [DATA / f"generative-{'-'.join(map(str, shape))}-{part}.npy" for part in "xy"]
    if not all(file.exists() for file in files):
        subprocess.run([PYTHON, "-c", GENERATE, *files, *map(str, shape)], check=True)
    bench = arguments.build / "bench" / "fit_bench"
    machine = output([bench, "machine", f"threads={THREADS}"])
    print(f"{arguments.rows:,} rows, {arguments.features} features, {arguments.classes} classes; the machine reads memory at "
          f"{machine['bandwidth']:.1f} GB/s and multiplies matrices at {machine['products']:.0f} GFLOP/s")
    print(f"  {'model':<20}{'discern s':>10}{'scikit-learn s':>16}{'discern is':>12}{'reached':>20}   its fastest")
    for name in arguments.only:
        measure(name, files, arguments.runs, bench, machine, shape)
    if arguments.counts:
        measure_counts(arguments.counts, arguments.runs, arguments.build, machine)


if __name__ == "__main__":
    main()
