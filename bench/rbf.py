#!/usr/bin/env python3
"""An RBF network side by side with scikit-learn's KMeans and Ridge on the same units.

    bench/rbf.py TRAIN TEST [--centers N] [--runs N] [--discern PROGRAM]

TRAIN and TEST are images in IDX files (MNIST, *images-idx3-ubyte[.gz], the labels beside them). Both sides get 2 threads and
pixels as they are, place N Gaussian units by k-means (scikit-learn: one start, its other defaults, float32 and float64), give each the root
mean square distance of the two nearest other centres as its width, and fit ridge least squares with the penalty 1 to the 1-of-K
targets. scikit-learn goes on for more iterations by default, so it is also stopped after as many as discern took (float32). Only fitting is timed, on data in memory. Prints the seconds of the best run, the k-means objective and the accuracy.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from fit_setup import BUILD, PYTHON, THREADS, environment, install_peers

PEER = """
import gzip, json, sys, time
import numpy
from sklearn.cluster import KMeans
from sklearn.linear_model import Ridge
import sklearn

def read(path):
    content = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    dimensions = content[3]
    shape = numpy.frombuffer(content, ">i4", dimensions, 4)
    return numpy.frombuffer(content, numpy.uint8, -1, 4 + 4 * dimensions).reshape(shape[0], -1)

def load(path):
    return read(path).astype(sys.argv[4]), read(path.replace("images-idx3", "labels-idx1")).ravel()

def units(x, centers, widths):
    squares = (x * x).sum(1)[:, None] - 2 * x @ centers.T + (centers * centers).sum(1)
    return numpy.exp(-squares / (2 * widths ** 2))

x, y = load(sys.argv[1])
test, truth = load(sys.argv[2])
start = time.perf_counter()
clusters = KMeans(int(sys.argv[3]), n_init=1, random_state=0, max_iter=int(sys.argv[5])).fit(x)
centers = clusters.cluster_centers_
between = (centers * centers).sum(1)[:, None] - 2 * centers @ centers.T + (centers * centers).sum(1)
numpy.fill_diagonal(between, numpy.inf)
widths = numpy.sqrt(numpy.sort(between, 1)[:, :2].mean(1))
made = units(x, centers, widths)
mean, deviation = made.mean(0), made.std(0)
targets = numpy.eye(10)[y]
ridge = Ridge(alpha=1).fit((made - mean) / deviation, targets)
seconds = time.perf_counter() - start
said = ridge.predict((units(test, centers, widths) - mean) / deviation).argmax(1)
print(json.dumps(dict(seconds=seconds, accuracy=float((said == truth).mean()), iterations=clusters.n_iter_,
                      distortion=clusters.inertia_ / len(x), version=sklearn.__version__)))
"""


def output(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment())
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def ours(arguments, folder):
    model = pathlib.Path(folder) / "rbf.model"
    report = output([arguments.discern, "fit", arguments.train, "--target", "label", "--model", "rbf-network", "--centers",
                     arguments.centers, "--no-standardize", "--threads", THREADS, "--json", "-o", model])
    tested = output([arguments.discern, "evaluate", model, arguments.test, "--json"])
    return dict(seconds=report["seconds"]["fit"], accuracy=tested["accuracy"],
                iterations=report["facts"]["placement_iterations"], distortion=report["facts"]["distortion"])


def theirs(arguments, precision, iterations=300):
    return output([PYTHON, "-c", PEER, arguments.train, arguments.test, arguments.centers, precision, iterations])


def contestants(arguments, folder):
    found = ours(arguments, folder)
    yield "discern", found
    for precision in ("float32", "float64"):
        yield f"scikit-learn, {precision}", theirs(arguments, precision)
    yield "float32, our iterations", theirs(arguments, "float32", int(found["iterations"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--centers", type=int, default=200)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--discern", type=pathlib.Path, default=BUILD / "release" / "cli" / "discern")
    arguments = parser.parse_args()
    install_peers()
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.runs):
            for who, result in contestants(arguments, folder):
                if who not in best or result["seconds"] < best[who]["seconds"]:
                    best[who] = result
    print(f"  {'':<24}{'seconds':>9}{'iterations':>12}{'distortion':>14}{'accuracy':>11}")
    for who, result in best.items():
        print(f"  {who:<24}{result['seconds']:>9.2f}{result['iterations']:>12.0f}{result['distortion']:>14.1f}{result['accuracy']:>11.4f}")


if __name__ == "__main__":
    main()
