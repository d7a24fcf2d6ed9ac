"""Measures one problem of bench/fit.py: every solver climbs its tolerances, then the fits that count are repeated."""
import contextlib
import dataclasses
import json
import math
import sys

import fit_problems
import fit_run
from fit_problems import REAL  # noqa: F401
from fit_setup import DATA

BEST = DATA / "fit-best.json"  # the least objective that any run found, by problem
TARGETS = {"fit": {"1e-6": 1e-6, "1e-9": 1e-9}, "file": {"1e-6": 1e-6, "1e-9": 1e-9}, "epoch": {"epoch": math.inf}}
WORTH_REPEATING = 3  # times the time of the best peer


@dataclasses.dataclass
class Run:
    tolerance: float
    seconds: float
    objective: float
    answer: dict


@dataclasses.dataclass
class Track:
    """What one solver did on one problem."""
    name: str
    version: str = ""
    runs: list = dataclasses.field(default_factory=list)
    note: str = ""  # why it stopped short, or is missing
    cap: float = 0  # seconds after which a run was ended
    rounds: dict = dataclasses.field(default_factory=dict)  # target -> seconds of each round

    def reaching(self, best, gap):
        """The loosest run within the gap of the best objective."""
        return next((run for run in self.runs if run.objective - best <= gap * abs(best)), None)

    def is_peer(self, family=""):
        """Not discern, and of the family: all whose names begin with its words; "" is everybody."""
        words = family.split()
        return not self.name.startswith("discern") and self.name.split()[:len(words)] == words

    def seconds(self, target):
        return min(self.rounds.get(target) or [math.inf])


@dataclasses.dataclass
class Result:
    problem: object
    data: object
    best: float
    best_by: str
    tracks: list

    @property
    def targets(self):
        return TARGETS[self.problem.kind]

    def ours(self):
        return next((t for t in self.tracks if t.name == "discern"), Track("discern", note="not run"))

    def peers(self, family=""):
        return [t for t in self.tracks if t.is_peer(family)]

    def ratio(self, target, family=""):
        """Geometric mean over the rounds of best peer / discern, and whether that is only a lower bound because
        none of these peers arrived in the time that it had; None when discern did not."""
        ours, peers = self.ours().rounds.get(target), self.peers(family)
        if not ours or not peers:
            return None
        reached = [t.rounds[target] for t in peers if t.rounds.get(target)]
        if not reached:
            caps = [t.cap for t in peers if t.cap > 0]
            return (min(caps) / min(ours), True) if len(caps) == len(peers) else None
        rounds = len(ours)
        best = [min(times[min(k, len(times) - 1)] for times in reached) for k in range(rounds)]
        return math.exp(sum(math.log(b / o) for b, o in zip(best, ours)) / rounds), False


def chosen(given):
    names = given.only or [p.name for p in fit_problems.PROBLEMS]
    known = {p.name: p for p in fit_problems.PROBLEMS}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"--only: expected some of {', '.join(known)}, got '{unknown[0]}'")
    return [known[name] for name in names if not (given.quick and known[name].data in REAL)]


class Reference:
    """The least objective known of a problem and who found it; kept between runs of the benchmark.

    It is settled when a solver that was told to go on gained next to nothing by it (a run that returns the very same
    point proves nothing). Until then nobody stops for being close to it."""

    def __init__(self, problem, data):
        self.key = fit_problems.fingerprint(problem, data)
        self.stored = json.loads(BEST.read_text()) if BEST.exists() else {}
        self.value, self.finder = self.stored.get(self.key, (math.inf, ""))
        self.settled = math.isfinite(self.value)

    def offer(self, runs, name, last):
        objective = runs[-1].objective
        if not math.isfinite(objective):
            return
        if not self.close(objective) and objective < self.value:
            self.settled = False
        if objective < self.value:
            self.value, self.finder = objective, name
        before = runs[-2].objective if len(runs) > 1 else math.inf
        moved = abs(before - objective) > 1e-13 * abs(objective)
        if self.close(objective) and (last or (moved and self.close(before))):
            self.settled = True

    def close(self, objective):
        return math.isfinite(self.value) and abs(objective - self.value) <= 1e-10 * abs(self.value)

    def keep(self):
        if self.settled:
            self.stored[self.key] = (self.value, self.finder)
            BEST.write_text(json.dumps(self.stored, indent=1))


def evaluate(solver, problem, data, tolerance, cap, **more):
    answer, weights, bias = solver.run(tolerance, cap, **more)
    return Run(tolerance, answer["seconds"], fit_problems.objective(problem, data, weights, bias), answer)


def climb(solver, track, problem, data, reference, cap):
    """From loose to tight, on from where the track ends, until a run is as good as the best known or takes too long."""
    try:
        for tolerance in solver.ladder[len(track.runs):]:
            track.runs.append(evaluate(solver, problem, data, tolerance, cap))
            if problem.kind == "epoch":
                break
            reference.offer(track.runs, solver.name, len(track.runs) == len(solver.ladder))
            if reference.settled and reference.close(track.runs[-1].objective):
                break
            # A single long run, so that nobody is stopped who might still come in close to the best peer.
            if sum(r.seconds for r in track.runs) > cap and track.runs[-1].seconds > cap / 4:
                track.cap, track.note = track.runs[-1].seconds, f"stopped after {cap:.0f} s of fits"
                break
    except fit_run.TimedOut:
        track.cap, track.note = cap, f"a fit took more than {cap:.0f} s"
    except fit_run.Unavailable as error:
        track.note = f"not available: {str(error)[:120]}"
    track.version = getattr(solver, "version", "")


def climb_all(solvers, problem, data, reference, cap):
    tracks = [Track(solver.name) for solver in solvers]
    for _ in range(3):  # some stop at what is then the best known, and others go below it later
        for solver, track in zip(solvers, tracks):
            behind = problem.kind != "epoch" and track.reaching(reference.value, 1e-9) is None
            if (behind or not track.runs) and not track.note and len(track.runs) < len(solver.ladder):
                climb(solver, track, problem, data, reference, fair_cap(problem, solver, tracks, reference, cap))
                show(track, reference)
    return tracks


def fair_cap(problem, solver, tracks, reference, cap):
    """Eight times what the best peer so far needed is enough to see that a solver is slower; those that a floor names
    have all the time there is."""
    if problem.kind != "epoch" and any(solver.name == floor[0] for floor in problem.floors):
        return cap
    times = [run.seconds for track in tracks if (run := track.reaching(reference.value, 1e-9))]
    return min(cap, max(10.0, 8 * min(times))) if times else cap


def show(track, reference):
    """What happens, for whoever waits: each run's tolerance, seconds and distance from the best objective known."""
    def distance(run):
        return f" {run.objective / reference.value - 1:.1e}" if math.isfinite(reference.value) else ""

    runs = "  ".join(f"{run.tolerance or 0:.0e}: {run.seconds:.3g} s{distance(run)}" for run in track.runs)
    print(f"    {track.name}: {runs} {track.note}", file=sys.stderr, flush=True)


def repeat(problem, data, solvers, tracks, reference, rounds):
    """The runs that count, in turn; fills in the rounds of each track. While nobody knows the minimum, nobody has come
    close to it."""
    targets = TARGETS[problem.kind] if reference.settled or problem.kind == "epoch" else {}
    counted = {}
    for track in tracks:
        reaching = {target: track.reaching(reference.value, gap) for target, gap in targets.items()}
        counted[track.name] = {target: run for target, run in reaching.items() if run}
        track.rounds = {target: [run.seconds] for target, run in counted[track.name].items()}
    again = [(solver, track) for solver, track in zip(solvers, tracks) if worth_repeating(problem, track, tracks)]
    measured = {track.name: {target: [] for target in counted[track.name]} for _, track in again}
    for _ in range(rounds):
        for solver, track in again:
            times = {}  # a run that reaches both targets is made once
            for target, run in counted[track.name].items():
                if run.tolerance not in times:
                    times[run.tolerance] = shortest(solver, problem, data, run)
            for target, run in counted[track.name].items():
                # What reaches a tighter target has reached this one, too.
                enough = [other for other in counted[track.name].values() if other.objective <= run.objective]
                measured[track.name][target].append(min(times[other.tolerance] for other in enough))
    for _, track in again:
        track.rounds = measured[track.name] if rounds > 0 else track.rounds


def worth_repeating(problem, track, tracks):
    """discern, and what comes near the best peer, or the best of a family that a floor names, on some target."""
    if track.name.startswith("discern"):
        return True
    for family in {"", *(floor[0] for floor in problem.floors)}:
        peers = [t for t in tracks if t.is_peer(family)]
        for target in track.rounds:
            if track in peers and track.seconds(target) <= WORTH_REPEATING * min(t.seconds(target) for t in peers):
                return True
    return False


def shortest(solver, problem, data, run):
    """Quick fits are made several times and the shortest counts: what disturbs them only lengthens them."""
    repeats = max(1, min(10, int(0.3 / max(run.seconds, 1e-3))))
    cap = 10 * run.seconds + 20
    if isinstance(solver, fit_run.Discern):
        return evaluate(solver, problem, data, run.tolerance, cap, repeats=repeats + 1).seconds
    return min(evaluate(solver, problem, data, run.tolerance, cap).seconds for _ in range(repeats))


def measure(problem, given):
    print(f"{problem.name}: {problem.what}", file=sys.stderr, flush=True)
    base = fit_problems.prepare(problem.data, DATA, 10 if given.quick else 1, given.data)
    data = fit_problems.load(problem, base)
    reference = Reference(problem, data)
    with contextlib.ExitStack() as closing:
        solvers = fit_run.solvers(problem, data, base, given.build, given.variant, not given.peers_only)
        for solver in solvers:
            closing.callback(solver.close)
        tracks = climb_all(solvers, problem, data, reference, min(given.cap, 10) if given.quick else given.cap)
        if problem.kind != "epoch":
            reference.keep()
        if problem.kind == "epoch":
            reference.value = min((run.objective for track in tracks for run in track.runs), default=math.nan)
        repeat(problem, data, solvers, tracks, reference, given.rounds)
    finder = reference.finder if reference.settled else f"{reference.finder}, and nobody showed that there is no better"
    return Result(problem, data, reference.value, finder, tracks)
