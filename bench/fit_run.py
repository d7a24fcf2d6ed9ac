"""Runs one solver of bench/fit.py at one tolerance: discern, a peer in its worker, R, or a whole command."""
import ctypes
import json
import pathlib
import select
import signal
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse as sparse

import fit_peers
from fit_setup import DATA, DEBIAN, PYTHON, THREADS, debian_libraries, environment

HERE = pathlib.Path(__file__).resolve().parent
LADDER = fit_peers.ladder(1, 12)


class Unavailable(Exception):
    """The solver cannot run this problem here."""


class TimedOut(Exception):
    pass


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"


def end_with_parent():
    """A fit that nobody waits for any more must not disturb the next ones."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Worker:
    """A peer in a process of its own (fit_peers.py or fit_glmnet.R) that answers a tolerance with seconds."""

    def __init__(self, problem, data, base, peer):
        self.name, self.ladder = peer, fit_peers.PEERS[peer][1]
        self.features, self.process = data.x.shape[1], None
        self.problem = problem
        self.scratch = tempfile.TemporaryDirectory(prefix="fit-", dir=DATA)
        self.out = pathlib.Path(self.scratch.name) / "weights.npz"
        if peer == "glmnet":
            self.command = self.glmnet(problem, data)
        else:
            self.command = [PYTHON, HERE / "fit_peers.py", problem.name, base, peer, str(THREADS), self.out]

    def glmnet(self, problem, data):
        """The arguments of fit_glmnet.R, with the data written in the form that it reads."""
        files = pathlib.Path(self.scratch.name) / "data"
        x = fit_peers.with_ones(data.x) if problem.bias == "penalised" else data.x
        if sparse.issparse(x):
            x = x.tocsc()
            x.indices.astype(np.int32).tofile(f"{files}.i")
            x.indptr.astype(np.int32).tofile(f"{files}.p")
            x.data.tofile(f"{files}.x")
        else:
            np.ravel(x, order="F").tofile(f"{files}.x")
        data.y.astype(np.float64).tofile(f"{files}.y")
        family = {"logistic": "binomial", "softmax": "multinomial", "squared": "gaussian"}[problem.loss]
        return ["Rscript", HERE / "fit_glmnet.R", files, "sparse" if sparse.issparse(x) else "dense",
                *map(str, x.shape), family, "1" if problem.l1 else "0", repr((problem.l1 or problem.l2) / x.shape[0]),
                "yes" if problem.bias == "free" else "no", self.out]

    def start(self):
        self.errors = open(pathlib.Path(self.scratch.name) / "errors", "w+")
        try:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                            env=dict(environment(), TMPDIR=self.scratch.name),
                                            preexec_fn=end_with_parent)
        except FileNotFoundError as error:
            raise Unavailable(str(error)) from error
        self.version = self.answer(300)["version"]

    def answer(self, cap):
        if not select.select([self.process.stdout], [], [], cap)[0]:
            self.close()
            raise TimedOut
        line = self.process.stdout.readline()
        if not line:
            self.errors.seek(0)
            message = last_line(self.errors.read())
            self.close()
            raise Unavailable(message)
        return json.loads(line)

    def run(self, tolerance, cap):
        if self.process is None:
            self.start()
        self.process.stdin.write(f"{tolerance!r}\n".encode())
        self.process.stdin.flush()
        answer = self.answer(cap)
        if self.name == "glmnet":
            scores = np.fromfile(self.out).reshape(-1, self.features + (2 if self.problem.bias == "penalised" else 1))
            if self.problem.bias == "penalised":
                return answer, scores[:, :-2], scores[:, -2]
            return answer, scores[:, :-1], scores[:, -1]
        with np.load(self.out) as found:
            return answer, found["weights"], found["bias"]

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class Discern:
    """discern's fit() through fit_bench."""

    def __init__(self, problem, data, build, more=()):
        self.name = " ".join(["discern", *more])
        self.version = "this tree"
        self.features = data.x.shape[1]
        self.ladder = LADDER if problem.kind == "fit" else [None]
        penalties = [f"{name}={value!r}" for name, value in (("l1", problem.l1), ("l2", problem.l2)) if value]
        bias = {"free": [], "penalised": ["penalize-bias=true"], "none": ["no-bias=true"]}[problem.bias]
        task = ["task=regression"] if problem.loss == "squared" else []
        self.out = tempfile.TemporaryDirectory(prefix="fit-", dir=DATA)
        self.command = [str(build / "bench" / "fit_bench"), problem.model, *data.paths, *penalties, *bias, *task,
                        *problem.options, *more, f"threads={THREADS}", f"weights={self.out.name}/w"]

    def run(self, tolerance, cap, repeats=1):
        fits = f"fits={repeats}" if tolerance is None else f"tolerances={','.join([repr(tolerance)] * repeats)}"
        command = self.command + [fits]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=cap * repeats + 20, env=environment())
        except subprocess.TimeoutExpired as expired:
            raise TimedOut from expired
        if done.returncode != 0:
            raise Unavailable(last_line(done.stderr))
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        scores = np.fromfile(f"{self.out.name}/w.0").reshape(-1, self.features + 1)
        # The first fit of a process also fetches its code; the peers' workers have run before, too.
        return min(answers[1:] or answers, key=lambda a: a["seconds"]), scores[:, :-1], scores[:, -1]

    def close(self):
        pass


class Command:
    """A program from the text file to its model file, everything timed."""

    ladder = fit_peers.ladder(1, 10)

    def __init__(self, name, version, command, read, features):
        self.name, self.version, self.command, self.read, self.features = name, version, command, read, features
        self.out = tempfile.TemporaryDirectory(prefix="fit-", dir=DATA)
        self.model = f"{self.out.name}/model"

    def run(self, tolerance, cap):
        command = [str(part).format(tolerance=tolerance, model=self.model) for part in self.command]
        variables = environment()
        if "liblinear-train" in command[0]:
            variables["LD_LIBRARY_PATH"] = debian_libraries()
        start = time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=cap, env=variables)
        except subprocess.TimeoutExpired as expired:
            raise TimedOut from expired
        seconds = time.perf_counter() - start
        if done.returncode != 0:
            raise Unavailable(last_line(done.stderr))
        return {"seconds": seconds}, *self.read(self.model, self.features)

    def close(self):
        pass


def read_liblinear(path, features):
    lines = pathlib.Path(path).read_text().split("\nw\n")
    weights = np.array(lines[1].split(), dtype=float)
    sign = 1 if lines[0].split("label ")[1].split()[0] == "1" else -1
    return sign * weights[:-1], [sign * weights[-1]]


def read_sklearn(path, features):
    import joblib
    model = joblib.load(path)
    if model.coef_.shape[1] == features:
        return model.coef_, model.intercept_
    return model.coef_[:, :-1], model.coef_[:, -1]


def read_discern(path, features):
    content = pathlib.Path(path).read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    tensors = json.loads(content[8:start])

    def tensor(name):
        first, last = tensors[name]["data_offsets"]
        return np.frombuffer(content[start + first:start + last]).reshape(tensors[name]["shape"])

    weights, bias = tensor("weights"), tensor("bias")
    return weights, bias - weights @ tensor("center") if "center" in tensors else bias


def commands(problem, data, build):
    text, features = data.paths[0], data.x.shape[1]
    train = DEBIAN / "usr" / "bin" / "liblinear-train"
    liblinear, sklearn = fit_peers.version_of("liblinear"), fit_peers.version_of("scikit-learn")
    ours = [build / "cli" / "discern", "fit", text, "--target", "label", "--model", "logistic", "--l2", problem.l2,
            "--penalize-bias", "--no-standardize", "--tol", "{tolerance}", "--threads", THREADS, "--quiet", "-o", "{model}"]
    made = [Command("discern", "this tree", ours, read_discern, features)]
    for number in (0, 7):
        command = [train, "-q", "-s", number, "-c", 1 / problem.l2, "-B", 1, "-e", "{tolerance}", text, "{model}"]
        made.append(Command(f"LIBLINEAR train -s {number}", liblinear, command, read_liblinear, features))
    for solver in ("liblinear", "lbfgs"):
        command = [PYTHON, HERE / "fit_script.py", text, "{model}", "{tolerance}", solver]
        made.append(Command(f"scikit-learn {solver} script", sklearn, command, read_sklearn, features))
    return made


def solvers(problem, data, base, build, variants, ours):
    """discern first, then its peers."""
    if problem.kind == "file":
        return commands(problem, data, build)[0 if ours else 1:]
    mine = [Discern(problem, data, build, more) for more in ((), *((v,) for v in variants))] if ours else []
    return mine + [Worker(problem, data, base, peer) for peer in fit_peers.PEERS_OF[problem.name]]
