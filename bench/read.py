#!/usr/bin/env python3
"""Reading speed, side by side: discern against pandas, pyarrow, polars (CSV), scikit-learn, LIBLINEAR (LIBSVM).

    bench/read.py [--runs N] [--only NAME ...] [--megabytes M] [--build DIR]

Builds bench/read_bench in build/bench (or DIR), installs the other readers into build/bench-venv and
build/bench-pandas2, fetches Debian's liblinear-train into build/bench-liblinear, generates the files in
build/bench-data (fixed seed), and runs every reader in a fresh process with 2 threads, the readers in turn,
N rounds. Prints the best time of each, MB of file a second, how many times faster discern is, the processor
time of both threads (which other programs on the machine disturb less), and the peak resident memory above
that of the bare process, divided by the size of the parsed table in memory. On a busy machine,
"chrt -f 10 bench/read.py" (as root) gives quiet figures.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "build" / "bench-venv"
DATA = ROOT / "build" / "bench-data"
LIBLINEAR = ROOT / "build" / "bench-liblinear"
SERIAL_PANDAS = ROOT / "build" / "bench-pandas2"
PACKAGES = ["numpy", "pandas", "pyarrow", "polars", "scikit-learn"]
THREADS = 2

# Each peer is a program of its own; it prints seconds, rows and peak memory as read_bench does.
PEER = """
import json, resource, sys, time
path = sys.argv[1]
{setup}
before = resource.getrusage(resource.RUSAGE_SELF)
start = time.perf_counter()
{read}
seconds = time.perf_counter() - start
after = resource.getrusage(resource.RUSAGE_SELF)
cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
version = sys.modules[{module!r}].__version__
print(json.dumps(dict(version=version, seconds=seconds, rows={rows}, cpu=cpu, peak_rss=(after.ru_maxrss - before.ru_maxrss) * 1024)))
"""

# Since 3.1 pandas reads large files in parallel; 2.2 is the reader that most installations have.
PEERS = {
    "pandas": ("pandas", "import pandas", "t = pandas.read_csv(path)", "len(t)"),
    "pandas 2": ("pandas", "import pandas", "t = pandas.read_csv(path)", "len(t)"),
    "pyarrow": ("pyarrow", "import pyarrow, pyarrow.csv; pyarrow.set_cpu_count(2)", "t = pyarrow.csv.read_csv(path)",
                "len(t)"),
    "polars": ("polars", "import polars", "t = polars.read_csv(path)", "len(t)"),
    "scikit-learn": ("sklearn", "from sklearn.datasets import load_svmlight_file", "t = load_svmlight_file(path)[0]",
                     "t.shape[0]"),
}
CSV_PEERS = ["pandas", "pandas 2", "pyarrow", "polars"]


def files():
    """name -> (file name, peers, what it holds)"""
    return {
        "decimals": ("decimals.csv", CSV_PEERS, "21 columns, 6 decimals, random signs"),
        "integers": ("integers.csv", CSV_PEERS, "21 columns of integers below 10^6"),
        "doubles": ("doubles.csv", CSV_PEERS, "21 columns, 17 digits"),
        "mixed": ("mixed.csv", CSV_PEERS, "numbers, dates, words, missing cells"),
        "quoted": ("quoted.csv", CSV_PEERS, "the same with every text in quotes"),
        "sparse": ("sparse.libsvm", ["scikit-learn", "LIBLINEAR"], "LIBSVM, 100 entries a row"),
    }


GENERATE = '''
import sys
import numpy as np
name, path, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
random = np.random.default_rng(7)
words = ["red", "green", "blue", "light grey", "dark violet", "Private", "Self-emp-not-inc", "Never-married"]

def header(columns):
    return ",".join(f"v{j}" for j in range(columns)) + "\\n"

def block(name):
    n = 5000
    if name == "decimals":
        x = random.normal(size=(n, 21)) * 5
        return "".join(",".join(f"{v:.6f}" for v in row) + "\\n" for row in x)
    if name == "integers":
        x = random.integers(0, 10 ** random.integers(1, 7, size=(n, 21)))
        return "".join(",".join(map(str, row)) + "\\n" for row in x.tolist())
    if name == "doubles":
        x = random.normal(size=(n, 21))
        return "".join(",".join(f"{v:.17g}" for v in row) + "\\n" for row in x)
    if name in ("mixed", "quoted"):
        quote = '"' if name == "quoted" else ""
        out = []
        for i in range(n):
            cells = [f"{v:.4f}" for v in random.normal(size=8)] + list(map(str, random.integers(0, 1000, 4)))
            if i % 10 == 0:
                cells[3] = ""
            cells += [quote + words[k] + quote for k in random.integers(0, len(words), 4)]
            cells.append(f"2024-{i % 12 + 1:02d}-{i % 28 + 1:02d}")
            out.append(",".join(cells) + "\\n")
        return "".join(out)
    out = []
    for i in range(n // 5):
        columns = np.sort(random.choice(100000, 100, replace=False)) + 1
        values = random.random(100)
        out.append(f"{i % 2} " + " ".join(f"{j}:{v:.6f}" for j, v in zip(columns, values)) + "\\n")
    return "".join(out)

with open(path + ".part", "w") as f:
    if name != "sparse":
        f.write(header({"mixed": 17, "quoted": 17}.get(name, 21)))
    blocks = [block(name) for _ in range(8)]
    written, k = 0, 0
    while written < size:
        written += f.write(blocks[k % 8])
        k += 1
import os
os.rename(path + ".part", path)
'''


def prepare_liblinear():
    """liblinear-train as Debian builds it, with a library that stops it when it has read (see the source)."""
    if not (LIBLINEAR / "usr" / "bin" / "liblinear-train").exists():
        LIBLINEAR.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "-qq", "download", "liblinear-tools"], cwd=LIBLINEAR, check=True, stderr=subprocess.DEVNULL)
        for package in LIBLINEAR.glob("liblinear-tools_*.deb"):
            subprocess.run(["dpkg", "-x", package, LIBLINEAR], check=True)
    subprocess.run(["c++", "-O2", "-shared", "-fPIC", "-Wl,-soname,liblinear.so.4", ROOT / "bench" / "liblinear_reader.cpp",
                    "-o", LIBLINEAR / "liblinear.so.4"], check=True)


def prepare(names, megabytes, build):
    if "sparse" in names:
        prepare_liblinear()
    if not (VENV / "bin" / "python").exists():
        venv.create(VENV, with_pip=True)
    python = str(VENV / "bin" / "python")
    probe = "import numpy, pandas, pyarrow, polars, sklearn"
    if subprocess.run([python, "-c", probe], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    if not SERIAL_PANDAS.exists():
        subprocess.run([python, "-m", "pip", "install", "-q", "--target", SERIAL_PANDAS, "pandas==2.2.3", "numpy<2.3"],
                       check=True)
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DDISCERN_BENCH=ON"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, "read_bench"], check=True, stdout=subprocess.DEVNULL)
    DATA.mkdir(parents=True, exist_ok=True)
    for name in names:
        size = (150 if name == "sparse" else megabytes) * 1_000_000
        path = DATA / files()[name][0]
        if not path.exists() or abs(path.stat().st_size - size) > 10_000_000:
            subprocess.run([python, "-c", GENERATE, name, str(path), str(size)], check=True)


def run(reader, path, build):
    environment = dict(os.environ, OMP_NUM_THREADS=str(THREADS), POLARS_MAX_THREADS=str(THREADS))
    if reader == "discern":
        command = [str(build / "bench" / "read_bench"), str(path), str(THREADS)]
    elif reader == "LIBLINEAR":
        environment["LD_LIBRARY_PATH"] = str(LIBLINEAR)
        command = [str(LIBLINEAR / "usr" / "bin" / "liblinear-train"), "-q", str(path), "/dev/null"]
    else:
        module, setup, read, rows = PEERS[reader]
        program = PEER.format(module=module, setup=setup, read=read, rows=rows)
        command = [str(VENV / "bin" / "python"), "-c", program, str(path)]
        if reader == "pandas 2":
            environment["PYTHONPATH"] = str(SERIAL_PANDAS)
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    after = os.times()
    if done.returncode != 0:
        sys.exit(f"{reader} failed on {path}: {done.stderr.strip()}")
    whole = after.children_user + after.children_system - before.children_user - before.children_system
    return {"cpu": whole, **json.loads(done.stdout)}


def measure(name, runs, build):
    file, peers, summary = files()[name]
    path = DATA / file
    megabytes = path.stat().st_size / 1e6
    # All readers start from the page cache. In pieces: a child's peak memory counts from its parent's size.
    with open(path, "rb") as content:
        while content.read(1 << 20):
            pass
    best = {}
    for _ in range(runs):
        for reader in ["discern", *peers]:
            result = run(reader, path, build)
            if reader not in best or result["seconds"] < best[reader]["seconds"]:
                best[reader] = result
    ours = best["discern"]
    print(f"\n{name}: {summary}; {megabytes:.0f} MB, {ours['rows']:,} rows, "
          f"{ours['parsed_bytes'] / 1e6:.0f} MB in memory")
    print(f"  {'reader':<20}{'seconds':>9}{'MB/s':>8}{'discern is':>12}{'cpu s':>9}{'in cpu':>9}{'peak/parsed':>13}")
    for reader, result in best.items():
        if result["rows"] != ours["rows"]:
            sys.exit(f"{reader} read {result['rows']} rows, discern {ours['rows']}")
        times = result["seconds"] / ours["seconds"]
        memory = result["peak_rss"] / ours["parsed_bytes"]
        cpu = result["cpu"] / ours["cpu"]
        label = f"{reader.split()[0]} {result['version']}" if "version" in result else reader
        print(f"  {label:<20}{result['seconds']:>9.3f}{megabytes / result['seconds']:>8.0f}"
              f"{times:>11.1f}x{result['cpu']:>9.3f}{cpu:>8.1f}x{memory:>13.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--only", nargs="+", choices=list(files()), default=list(files()))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "bench")
    arguments = parser.parse_args()
    prepare(arguments.only, arguments.megabytes, arguments.build)
    for name in arguments.only:
        measure(name, arguments.runs, arguments.build)


if __name__ == "__main__":
    main()
