#!/usr/bin/env python3
"""The multilayer perceptron on MNIST, side by side with scikit-learn and PyTorch.

    bench/mlp.py DIR [--epochs N] [--hidden H] [--batch B] [--tool FILE] [--skip NAME ...]

DIR holds the four files of MNIST in IDX form (train-images-idx3-ubyte and so on, plain or .gz, with any prefix). Builds the
tool in build/bench (or takes --tool), installs scikit-learn into build/bench-fit-venv and uses PyTorch where that or the system's Python has one.
Every one learns a 784-H-10 network of ReLU units with Adam, batches of B and 2 threads, in a fresh process: the time of an epoch is
the difference between a fit of N epochs and one of 1, divided by N - 1, so that reading, starting and judging are left out. Prints
it, the accuracy on the test rows after N epochs, and which share of the machine's speed of matrix products in single precision that is.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from fit_setup import BUILD, DEBIAN, PYTHON, THREADS, build_discern, environment, install_peers

COMMON = """
import gzip, json, sys, time
import numpy
def idx(path, skip):
    raw = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    return numpy.frombuffer(raw, numpy.uint8, offset=skip)
train, answers, test, truth = sys.argv[1:5]
hidden, batch, epochs = map(int, sys.argv[5:8])
x = idx(train, 16).reshape(-1, 784).astype(numpy.float32)
z = idx(test, 16).reshape(-1, 784).astype(numpy.float32)
y, w = idx(answers, 8).astype(numpy.int64), idx(truth, 8)
mean, deviation = x.mean(0), x.std(0)
deviation[deviation == 0] = 1
x, z = (x - mean) / deviation, (z - mean) / deviation
"""

SKLEARN = COMMON + """
import warnings, sklearn
from sklearn.neural_network import MLPClassifier
warnings.simplefilter("ignore")
x, z = x.astype({kind}), z.astype({kind})
model = MLPClassifier((hidden,), batch_size=batch, max_iter=epochs, alpha=0.01 * batch / len(x), n_iter_no_change=epochs + 1, random_state=1)
start = time.perf_counter()
model.fit(x, y)
seconds = time.perf_counter() - start
print(json.dumps(dict(seconds=seconds, accuracy=float((model.predict(z) == w).mean()), version=sklearn.__version__)))
"""

TORCH = COMMON + """
import torch
torch.manual_seed(1)
torch.set_num_threads({threads})
x, z, y = torch.from_numpy(x), torch.from_numpy(z), torch.from_numpy(y)
net = torch.nn.Sequential(torch.nn.Linear(784, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, 10))
steps = torch.optim.Adam(net.parameters(), lr=0.001, weight_decay=0.01 / len(x))
loss = torch.nn.CrossEntropyLoss()
start = time.perf_counter()
for epoch in range(epochs):
    order = torch.randperm(len(x))
    for first in range(0, len(x), batch):
        rows = order[first:first + batch]
        steps.zero_grad()
        loss(net(x[rows]), y[rows]).backward()
        steps.step()
seconds = time.perf_counter() - start
with torch.no_grad():
    accuracy = float((net(z).argmax(1).numpy() == w).mean())
print(json.dumps(dict(seconds=seconds, accuracy=accuracy, version=torch.__version__)))
"""

GEMM = """
import json, time, numpy
a = numpy.ones((2048, 2048), numpy.float32)
a @ a
best = 1e9
for _ in range(5):
    start = time.perf_counter()
    a @ a
    best = min(best, time.perf_counter() - start)
print(json.dumps(dict(seconds=best, gflops=2 * 2048 ** 3 / best / 1e9)))
"""


def fast_blas():
    """Debian's PyTorch multiplies with whatever BLAS the system has; OpenBLAS is what it deserves. (That of PyPI brings its own.)"""
    if not list(DEBIAN.glob("usr/lib/*/openblas-pthread/libblas.so.3")):
        DEBIAN.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "-qq", "download", "libopenblas0-pthread"], cwd=DEBIAN, check=True,
                       stderr=subprocess.DEVNULL)
        for package in DEBIAN.glob("libopenblas*.deb"):
            subprocess.run(["dpkg", "-x", package, DEBIAN], check=True)
    return str(next(DEBIAN.glob("usr/lib/*/openblas-pthread/libblas.so.3")).parent)


def output(command, libraries=None):
    variables = dict(environment(), **({"LD_LIBRARY_PATH": libraries} if libraries else {}))
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=variables)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "failed"
    return json.loads(done.stdout), ""


def find(folder, ending):
    for path in sorted(folder.iterdir()):
        if path.name.endswith(ending) or path.name.endswith(ending + ".gz"):
            return path
    sys.exit(f"{folder}: no file *{ending}")


def discern(tool, files, hidden, batch, epochs):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "m"
        fitted, why = output([tool, "fit", files[0], "--model", "mlp", "--layers", hidden,
                              "--solver", "sgd", "--batch-size", batch, "--epochs", epochs, "--threads", THREADS,
                              "--json", "-o", model])
        if fitted is None:
            sys.exit(f"discern: {why}")
        judged, why = output([tool, "evaluate", model, files[2], "--json"])
        if judged is None:
            sys.exit(f"discern: {why}")
    return dict(seconds=fitted["seconds"]["fit"], accuracy=judged["accuracy"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--tool", type=pathlib.Path)
    parser.add_argument("--skip", nargs="*", default=[])
    given = parser.parse_args()
    files = [find(given.folder, end) for end in ("train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                                 "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")]
    install_peers()
    if given.tool is None:
        build_discern(BUILD / "bench")
        given.tool = BUILD / "bench" / "cli" / "discern"
    peers = {"scikit-learn": (PYTHON, SKLEARN.format(kind="numpy.float64")),
             "scikit-learn, float32": (PYTHON, SKLEARN.format(kind="numpy.float32"))}
    for python in (PYTHON, "/usr/bin/python3"):
        if subprocess.run([str(python), "-c", "import torch, numpy"], capture_output=True).returncode == 0:
            peers["PyTorch"] = (python, TORCH.format(threads=THREADS))
            break
    else:
        print("PyTorch is not installed: apt install python3-torch, or pip install torch into", PYTHON)
    speed, _ = output([PYTHON, "-c", GEMM])
    flops = 6 * 60000 * (784 * given.hidden + 10 * given.hidden) - 2 * 60000 * 784 * given.hidden
    print(f"784-{given.hidden}-10, ReLU, Adam, batches of {given.batch}, {THREADS} threads; "
          f"matrix products of 2048 x 2048 in single precision: {speed['gflops']:.0f} GFLOP/s (numpy)")

    def row(name, fit):
        many, one = fit(given.epochs), fit(1)
        epoch = (many["seconds"] - one["seconds"]) / (given.epochs - 1)
        print(f"{name:24} {epoch:6.3f} s an epoch, {flops / epoch / 1e9:5.0f} GFLOP/s "
              f"({flops / epoch / 1e9 / speed['gflops']:.0%}), accuracy {many['accuracy']:.4f} "
              f"{many.get('version', '')}", flush=True)

    row("discern", lambda epochs: discern(given.tool, files, given.hidden, given.batch, epochs))
    for name, (python, script) in peers.items():
        if name in given.skip:
            continue
        words = [python, "-c", script, *files, given.hidden, given.batch]

        def fit(epochs):
            found, why = output([*words, epochs], fast_blas() if python != PYTHON else None)
            if found is None:
                sys.exit(f"{name}: {why}")
            return found
        row(name, fit)


if __name__ == "__main__":
    main()
