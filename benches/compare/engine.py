"""The engine beside PyTorch and ONNX Runtime: the same network, in turns, so that a busy machine slows all sides.

engine.py MODE --ours FILE [--rounds N] [--quick] [--json FILE]

FILE is the program of the bench `compare_engine`. MODE is
  check   whether twin and engine are one function; fails above a difference of 1e-4
  decode  greedy decoding of one sentence: µs a step
  train   updates of 64 sentences of 10 and 10 words
  memory  the most memory of fresh processes that do the same work
  lengths the engine alone, in turns: a step with 1000 words beside one with 10 (large), and of 10 to 160 steps (everyday)
  limits  how near the engine comes to what the machine allows
  all     everything

Each side first tries one thread and two (and ONNX Runtime two ways of being called) and keeps the better for each case.
Then every round asks each side once. A ratio is the median of the rounds' ratios, theirs over ours.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from importlib.metadata import version

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine")
sys.path.insert(0, HERE)

from sides import OURS, PYTORCH, ONNX, Sides  # noqa: E402
from report import decode_table, lengths_line, limits_tables, memory_table, train_table  # noqa: E402

SCORERS = ["additive", "dot", "general", "scaled_dot", "bottleneck"]
BOUND = 1e-4
STEPS = 20
# Of arrays that are read again and again: they fit the second cache, the third, none.
LEVELS = [("256 kB", 256 << 10), ("8 MB", 8 << 20), ("256 MB", 256 << 20)]


def decode_cases(quick):
    """Size, scorer, S, T, repetitions."""
    if quick:
        cases = [("small", "additive", 10, STEPS, 10), ("large", "additive", 10, STEPS, 5)]
        cases += [("everyday", scorer, 10, STEPS, 10) for scorer in ("additive", "dot", "bottleneck")]
        return [*cases, ("everyday", "additive", 10, 80, 3), ("everyday", "additive", 1000, STEPS, 2)]
    # The shorter a step, the more of them.
    repetitions = {"small": 60, "everyday": 20, "large": 10}
    lengths = (10, 4, 50, 1000)
    cases = [
        (size, scorer, length, STEPS, count if length < 1000 else max(4, count // 5))
        for length in lengths
        for size, count in repetitions.items()
        for scorer in SCORERS
    ]
    return cases + [("everyday", "additive", 10, steps, max(4, 320 // steps)) for steps in (10, 40, 80, 160)]


def train_cases(quick):
    """Size, scorer, B, S, T, updates."""
    if quick:
        return [("everyday", "additive", 64, 10, 10, 4)]
    cases = [("small", "additive", 64, 10, 10, 20)]
    cases += [("everyday", scorer, 64, 10, 10, 6) for scorer in SCORERS]
    return [*cases, ("large", "additive", 64, 10, 10, 3)]


def take_turns(sides, names, case, command, field, rounds):
    """Lets each side choose its threads, then asks all in turns."""
    chosen = {}
    for name in names:
        candidates = sides.candidates(name, case)
        # More than once, since the first time pays for what a side sets up.
        tried = [(side.ask(command)[field], i) for _ in range(3) for i, side in enumerate(candidates)]
        chosen[name] = candidates[min(tried)[1]]
    answers = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            answers[name].append(chosen[name].ask(command))
    row = {"case": case, "sides": {}}
    for name in names:
        values = [answer[field] for answer in answers[name]]
        ratios = [theirs / ours[field] for theirs, ours in zip(values, answers[OURS])]
        row["sides"][name] = {
            "how": chosen[name].label,
            field: statistics.median(values),
            "rounds": values,
            "ratio": statistics.median(ratios),
            "ratios": [min(ratios), max(ratios)],
        }
        encoding = [answer["encode_us"] for answer in answers[name] if "encode_us" in answer]
        if encoding:
            row["sides"][name]["encode_us"] = statistics.median(encoding)
    shown = [f"{name} {side[field]:.1f} ({side['how']}, x{side['ratio']:.2f})" for name, side in row["sides"].items()]
    print("  ", *case, " ", "  ".join(shown), flush=True)
    return row


def run_decode(sides, rounds, quick):
    print(f"decode: size, scorer, S, steps, repetitions; us a step, {rounds} rounds", flush=True)
    rows = []
    for case in decode_cases(quick):
        command = "decode " + " ".join(map(str, case))
        rows.append(take_turns(sides, [OURS, PYTORCH, ONNX], case, command, "us_step", rounds))
    return rows


def run_train(sides, rounds, quick):
    print(f"train: size, scorer, B, S, T, updates; ms an update, {rounds} rounds", flush=True)
    rows = []
    for case in train_cases(quick):
        command = "train " + " ".join(map(str, case))
        rows.append(take_turns(sides, [OURS, PYTORCH], case, command, "ms_update", rounds))
        sides.rest()
    return rows


def run_memory(sides, rounds, quick):
    """Each in a process of its own that does nothing else."""
    print(f"memory: most memory of fresh processes, {rounds} rounds", flush=True)
    works = [("everyday", "decode everyday additive 10 20 20", [OURS, PYTORCH, ONNX])]
    works.append(("everyday", "train everyday additive 64 10 10 5", [OURS, PYTORCH]))
    rows = []
    for size, command, names in works:
        row = {"case": command, "sides": {}}
        for name in names:
            answers = []
            for _ in range(rounds):
                with sides.fresh(name, (size, "additive")) as side:
                    side.ask(command)
                    answers.append(side.ask("memory"))
            peak = statistics.median(answer["peak_kb"] for answer in answers)
            start = statistics.median(answer["start_kb"] for answer in answers)
            ratio = peak / (row["sides"][OURS]["peak_kb"] if row["sides"] else peak)
            row["sides"][name] = {"how": side.label, "peak_kb": peak, "start_kb": start, "ratio": ratio}
        rows.append(row)
        shown = [f"{name} {found['peak_kb'] / 1024:.1f} MB" for name, found in row["sides"].items()]
        print("  ", command, " ", "  ".join(shown), flush=True)
    return rows


def run_lengths(sides, rounds, quick):
    """One side, so that it is cheap to take many turns."""
    side, turns = sides.candidates(OURS, None)[-1], 3 if quick else 25

    def ask(size, source, steps, repetitions):
        return side.ask(f"decode {size} additive {source} {steps} {repetitions}")["us_step"]

    pairs = [(ask("large", 10, STEPS, 20), ask("large", 1000, STEPS, 8)) for _ in range(turns)]
    ratios = sorted(long / short for short, long in pairs)
    quarters = statistics.quantiles(ratios, n=4)
    short, long = (statistics.median(values) for values in zip(*pairs))
    targets = (10, 40, 80, 160)
    runs = [[ask("everyday", 10, steps, 640 // steps) for steps in targets] for _ in range(turns)]
    steps = {target: statistics.median(values) for target, values in zip(targets, zip(*runs))}
    print(f"lengths: {short:.0f} us at S = 10, {long:.0f} at 1000, {turns} turns", flush=True)
    found = {"turns": turns, "short": short, "long": long, "steps": steps}
    return {**found, "ratio": quarters[1], "middle": [quarters[0], quarters[2]]}


def run_limits(sides, rounds, quick):
    """The engine's own times, in turns with what the machine reads and multiplies."""
    print(f"limits: {rounds} rounds", flush=True)
    one, both = sides.candidates(OURS, None)
    steps, updates = [], []
    for size in ("small", "everyday", "large"):
        for scorer in SCORERS if size == "everyday" else ["additive"]:
            cost = one.ask(f"cost {size} {scorer} 64 10 10")
            read, step = [], []
            for _ in range(rounds):
                read.append(both.ask(f"bandwidth {cost['step_bytes']}")["gb_s"])
                step.append(both.ask(f"decode {size} {scorer} 10 20 20")["us_step"])
            row = {"size": size, "scorer": scorer, **cost, "gb_s": max(read)}
            steps.append({**row, "us_step": statistics.median(step)})
    for side, threads in ((one, 1), (both, 2)):
        for size in ("everyday",) if quick else ("small", "everyday", "large"):
            cost = one.ask(f"cost {size} additive 64 10 10")
            peak, update = [], []
            for _ in range(rounds):
                peak.append(side.ask("peak"))
                update.append(side.ask(f"train {size} additive 64 10 10 {3 if size == 'large' else 8}")["ms_update"])
            best = {name: max(answer[name] for answer in peak) for name in peak[0]}
            read = side.ask("bandwidth 268435456")["gb_s"]
            row = {"size": size, "threads": threads, **cost, **best, "memory_gb_s": read}
            updates.append({**row, "ms_update": statistics.median(update)})
    levels = [(name, [side.ask(f"bandwidth {size}")["gb_s"] for side in (one, both)]) for name, size in LEVELS]
    return {"steps": steps, "updates": updates, "levels": levels}


def run_check(sides, quick):
    """Prints the largest differences; returns whether all are small."""
    print(f"check: largest differences from the engine, bound {BOUND:g}", flush=True)
    good = True
    for size in ("everyday",) if quick else ("small", "everyday", "large"):
        for scorer in SCORERS:
            dump = os.path.join(sides.folder, f"{size}-{scorer}.safetensors")
            engine, twin = sides.candidates(OURS, None)[-1], sides.candidates(PYTORCH, None)[-1]
            engine.ask(f"dump {size} {scorer} {dump}")
            found, ours = twin.ask(f"check {size} {scorer} {dump}"), engine.ask(f"update {size} {scorer} 3")
            os.remove(dump)
            found["loss"] = max(abs(a - b) for a, b in zip(found["losses"], ours["losses"]))
            # As a share, of the first update only: Adam divides by the gradient, which makes much of its rounding.
            found["norm"] = abs(found["norms"][0] / ours["norms"][0] - 1)
            bounded = {name: found.get(name, 0.0) for name in ("logits", "weights", "onnx_weights", "loss", "norm")}
            # A comparison that is not a number must fail too.
            right = all(value <= BOUND for value in bounded.values())
            right = right and found["words_differ"] == 0 and found["onnx_words_differ"] == 0
            good = good and right
            shown = "  ".join(f"{name} {value:.1e}" for name, value in bounded.items())
            sizes = f"logits to {found['largest_logit']:.2f}, weights to {found.get('largest_weight', 0):.2f}"
            print(f"   {size:9}{scorer:11}{shown}  ({sizes})  {'ok' if right else 'DIFFERENT'}", flush=True)
    return good


def environment():
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf8") as lines:
            cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    libraries = {name: version(name) for name in ("torch", "onnxruntime")}
    return {"processor": cpu, "cores": os.cpu_count(), "python": platform.python_version(), **libraries}


def main():
    parser = argparse.ArgumentParser(description="the engine beside PyTorch and ONNX Runtime")
    parser.add_argument("mode", choices=["check", "decode", "lengths", "train", "memory", "limits", "all"])
    parser.add_argument("--ours", required=True, help="the program of the bench compare_engine")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="few cases, for a first impression")
    parser.add_argument("--json", help="write all numbers to this file")
    options = parser.parse_args()
    rounds, quick, results = max(options.rounds, 1), options.quick, {"environment": environment()}
    print("  ".join(f"{name} {value}" for name, value in results["environment"].items()), flush=True)
    wanted = ["check", "decode", "lengths", "train", "memory", "limits"] if options.mode == "all" else [options.mode]
    tables = []
    with tempfile.TemporaryDirectory() as folder, Sides(options.ours, folder) as sides:
        if "check" in wanted and not run_check(sides, quick):
            sys.exit("the sides are not one function")
        sides.rest()
        works = {"decode": (run_decode, decode_table), "train": (run_train, train_table)}
        works |= {"lengths": (run_lengths, lengths_line), "memory": (run_memory, memory_table), "limits": (run_limits, limits_tables)}
        for name, (work, table) in works.items():
            if name in wanted:
                few = min(rounds, 1 if quick else 3) if name in ("memory", "limits") else rounds
                results[name] = work(sides, few, quick)
                tables.append(table(results[name]))
                sides.rest()
    print("\n" + "\n\n".join(tables))
    if options.json:
        with open(options.json, "w", encoding="utf8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
