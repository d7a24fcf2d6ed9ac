"""The tables of bench/fit.py: one for each problem, and a summary against the floors."""
import datetime
import json
import math
import platform
import subprocess

import scipy.sparse as sparse

import fit_problems
from fit_setup import BUILD, ROOT, THREADS

RESULTS = ROOT / "bench" / "RESULTS.md"
KEPT = BUILD / "bench-results"  # what was measured last of each problem, so that they need not be measured in one go
INTRODUCTION = """# Fitting, side by side

Written by `bench/fit.py --write`, which explains what is measured: the time of the fit alone, from data in memory, to
an objective within 1e-6 and 1e-9 (relative) of the best known. The benchmark computes the objectives itself; the times
are the shortest of the rounds. Times of different problems may come from different runs, ratios never do.

"""
SUMMARY = """## Summary

Ratios are best peer / discern, the geometric mean over the rounds; "> " is a lower bound, from peers that did not get
there in the time they had.

"""


def time_text(seconds):
    if not math.isfinite(seconds):
        return "not reached"
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def ratio_text(ratio):
    if ratio is None:
        return "-"
    value, bound = ratio
    return f"{'> ' if bound else ''}{value:.2g}x" if value < 10 else f"{'> ' if bound else ''}{value:.0f}x"


def aligned(rows):
    """A Markdown table whose source is readable, too. The first column is text, the others numbers."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    pads = [str.ljust] + [str.rjust] * (len(widths) - 1)
    lines = ["| " + " | ".join(pad(cell, w) for pad, cell, w in zip(pads, row, widths)) + " |" for row in rows]
    rule = "|" + "|".join("-" * (w + 2) if j == 0 else "-" * (w + 1) + ":" for j, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def bandwidth(build):
    done = subprocess.run([build / "bench" / "fit_bench", "machine", f"threads={THREADS}"], capture_output=True, text=True)
    return json.loads(done.stdout)["bandwidth"] if done.returncode == 0 else None


def package_of(solver):
    words = solver.split()
    return " ".join(words[:2] if words[1:] and words[1] in ("multi-core", "Wabbit") else words[:1])


def written():
    """name -> what the file has of a problem, for those that were measured elsewhere."""
    if not RESULTS.exists():
        return {}
    head, *sections = RESULTS.read_text().split("\n## ")
    processors, peers = head.split("\n\n")[-2:]
    versions = dict(item.rsplit(" ", 1) for item in peers.strip().removeprefix("Peers: ").removesuffix(".").split(", "))
    texts = {section.split(":")[0]: "## " + section.rstrip() for section in sections}
    rows = [line.strip("|").split("|") for line in sections[0].splitlines() if line.startswith("|")]
    floors = [[cell.strip() for cell in row] for row in rows[2:]]
    processor = processors.rsplit(",", 1)[0]
    return {name: {"text": text, "floors": [row for row in floors if row[0] == name], "versions": versions,
                   "processor": processor} for name, text in texts.items()}


class Report:
    def __init__(self, given):
        self.given = given
        self.bandwidth = None if given.peers_only else bandwidth(given.build)
        self.versions = {}

    @staticmethod
    def left_out(problem):
        print(f"\n## {problem.name}: {problem.what}\n\nLeft out: it needs real data (--data DIR).", flush=True)

    def add(self, result):
        problem, ours, targets = result.problem, result.ours(), result.targets
        penalty = " and ".join(f"{name} = {value:.6g}" for name, value in (("l2", problem.l2), ("l1", problem.l1)) if value)
        if problem.kind == "epoch":
            best = f"Objectives after the passes are relative to the least of them, {result.best:.8g}."
        else:
            best = f"Best objective known: {result.best:.12g} ({result.best_by})."
        lines = [f"## {problem.name}: {problem.what}", "", f"{penalty or 'no penalty'}; bias {problem.bias}. {best}", "", self.table(result)]
        lines += ["", *self.notes(result)]
        if ours.rounds and self.bandwidth:
            lines.append(self.machine(result))
        text = "\n".join(lines).rstrip()
        print("\n" + text, flush=True)
        self.keep(problem, text, [self.floor_row(problem, floor, [result.ratio(t, floor[0]) for t in targets])
                                  for floor in problem.floors])

    def keep(self, problem, text, floors):
        head = f"Measured {datetime.date.today()}, {self.given.rounds} rounds"
        if self.bandwidth:
            head += f", {self.bandwidth:.0f} GB/s read bandwidth"
        if self.given.quick:
            head += ", small version"
        KEPT.mkdir(parents=True, exist_ok=True)
        (KEPT / f"{problem.name}.json").write_text(json.dumps(
            {"text": f"{text}\n\n{head}.", "floors": floors, "versions": self.versions, "processor": processor()}))

    def table(self, result):
        targets = list(result.targets)
        epoch = result.problem.kind == "epoch"
        times = ["seconds", "objective"] if epoch else [f"to {t}" for t in targets]
        rows = [["solver", *times, *["discern is"] * len(targets)]]
        for track in sorted(result.tracks, key=lambda t: [t.seconds(target) for target in reversed(targets)]):
            if track.version:
                self.versions[package_of(track.name)] = track.version
            times = [time_text(track.seconds(t)) for t in targets]
            if not track.runs and not track.cap:
                times = ["not available"] * len(targets)
            if epoch:
                excess = track.runs[0].objective / result.best - 1 if track.runs else math.nan
                times.append(f"+{excess:.2%}" if math.isfinite(excess) else "-")
            mine = track.name.startswith("discern")
            ratios = ["" if mine else ratio_text(self.single(result, track, t)) for t in targets]
            rows.append([track.name, *times, *ratios])
        return aligned(rows)

    @staticmethod
    def single(result, track, target):
        """discern against this one peer, from the shortest times."""
        ours = result.ours().seconds(target)
        if not math.isfinite(ours):
            return None
        theirs = track.seconds(target)
        if math.isfinite(theirs):
            return theirs / ours, False
        return (track.cap / ours, True) if track.cap else None

    @staticmethod
    def notes(result):
        return [f"- {track.name}: {track.note}" for track in result.tracks if track.note]

    def machine(self, result):
        """How close the fit is to reading its data as often as it has iterations."""
        ours, target = result.ours(), list(result.targets)[-1]
        x = result.data.x
        run = ours.reaching(result.best, result.targets[target]) if target in ours.rounds else None
        if run is None or result.problem.kind == "file":
            return ""
        size = run.answer["bytes"]
        once = size / (1e9 * self.bandwidth)
        text = (f"\ndiscern ({run.answer['solver']}) at {target}: {run.answer['iterations']} iterations over {size / 1e6:.0f} MB "
                f"in the time of {ours.seconds(target) / once:.0f} readings of the data at {self.bandwidth:.0f} GB/s")
        if run.answer["solver"] == "newton" and not sparse.issparse(x):
            flops = x.shape[0] * x.shape[1] ** 2 * max(1, run.answer["iterations"])
            text += f"; its Hessians alone are {flops / 1e9:.1f} GFLOP, {flops / 1e9 / ours.seconds(target):.0f} GFLOP/s"
        return text + "."

    @staticmethod
    def floor_row(problem, floor, values):
        family, least = floor
        known = [value for value in values if value is not None]
        holds = "yes" if all(v[0] >= least for v in known) else "no"
        if len(known) < len(values):
            holds = "not measured"
        cells = [ratio_text(value) for value in values] + [""] * (2 - len(values))
        return [problem.name, family or "the best peer", f"{least}x", *cells, holds]

    def finish(self):
        """The summary and, with --write, the file: of all problems, each as it was measured last."""
        before = written()
        names = [problem.name for problem in fit_problems.PROBLEMS]
        kept = {name: KEPT / f"{name}.json" for name in names}
        kept = [json.loads(kept[name].read_text()) if kept[name].exists() else before.get(name) for name in names]
        kept = [k for k in kept if k]
        floors = [["problem", "against", "floor", "to 1e-6", "to 1e-9", "holds"], *sum((k["floors"] for k in kept), [])]
        versions = {name: version for k in kept for name, version in k["versions"].items()}
        peers = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()) if name != "discern")
        processors = ", ".join(sorted({k["processor"] for k in kept}))
        head = f"{processors}, {THREADS} threads.\n\nPeers: {peers}."
        summary = SUMMARY + aligned(floors)
        print(f"\n{head}\n\n{summary}")
        if self.given.write:
            RESULTS.write_text("\n\n".join([INTRODUCTION + head, summary, *(k["text"] for k in kept)]) + "\n")
