"""Installs the peers of bench/fit.py into build/ and builds discern's side; uses nothing but the standard library."""
import os
import pathlib
import subprocess
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
DATA = BUILD / "bench-data"
VENV = BUILD / "bench-fit-venv"
DEBIAN = BUILD / "bench-fit-debian"
MULTICORE = BUILD / "bench-fit-multicore"
PYTHON = VENV / "bin" / "python"
PACKAGES = ["numpy", "scipy", "scikit-learn", "scikit-learn-intelex", "skglm", "celer", "vowpalwabbit"]
DEBIAN_PACKAGES = ["liblinear-tools", "liblinear4", "libblas3"]
THREADS = 2


def environment():
    """Everybody gets as many threads as discern."""
    names = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"]
    return dict(os.environ, PYTHONWARNINGS="ignore", **{name: str(THREADS) for name in names})


def install_peers():
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    probe = "import numpy, scipy, sklearn, sklearnex, skglm, celer, vowpalwabbit"
    if subprocess.run([PYTHON, "-c", probe], capture_output=True).returncode != 0:
        # One at a time: a package without a wheel for this Python must not keep the others out.
        for package in PACKAGES:
            if subprocess.run([PYTHON, "-m", "pip", "install", "-q", package]).returncode != 0:
                print(f"{package} cannot be installed here; its rows will say so")
    if not list(MULTICORE.glob("liblinear/clib*.so")):
        subprocess.run([PYTHON, "-m", "pip", "install", "-q", "--no-deps", "--target", MULTICORE, "liblinear-multicore"])
    if not (DEBIAN / "usr" / "bin" / "liblinear-train").exists():
        DEBIAN.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "-qq", "download", *DEBIAN_PACKAGES], cwd=DEBIAN, check=True, stderr=subprocess.DEVNULL)
        for package in DEBIAN.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, DEBIAN], check=True)


def build_discern(build):
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DDISCERN_BENCH=ON", "-DDISCERN_WERROR=ON"]
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, "fit_bench", "discern_cli"], check=True, stdout=subprocess.DEVNULL)


def debian_libraries():
    return os.pathsep.join(str(path.parent) for pattern in ("liblinear.so.4", "blas/libblas.so.3")
                           for path in DEBIAN.glob(f"usr/lib/*/{pattern}"))
