"""The results as Markdown tables."""

from sides import ONNX, OURS, PYTORCH


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value):
    """Three figures or more."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def side(found, field):
    return f"{number(found[field])} ({found['how']})"


def ratio(found):
    low, high = found["ratios"]
    return f"{found['ratio']:.1f} ({low:.1f}–{high:.1f})"


def decode_table(rows):
    head = ["size", "score", "S", "steps", "regard, µs a step", "PyTorch", "ratio", "ONNX Runtime", "ratio"]
    head += ["encode, regard, µs", "encode, PyTorch"]
    lines = []
    for row in rows:
        size, scorer, source, steps, _ = row["case"]
        ours, torch, onnx = (row["sides"][name] for name in (OURS, PYTORCH, ONNX))
        line = [size, scorer, str(source), str(steps), side(ours, "us_step"), side(torch, "us_step"), ratio(torch)]
        line += [side(onnx, "us_step"), ratio(onnx), number(ours["encode_us"]), number(torch["encode_us"])]
        lines.append(line)
    return table(head, lines)


def lengths_line(found):
    low, high = found["middle"]
    times = f"{number(found['short'])} µs at S = 10, {number(found['long'])} at 1000"
    middle = f"half of {found['turns']} turns within {low:.1f}–{high:.1f}"
    steps = ", ".join(f"{number(value)} at T = {target}" for target, value in found["steps"].items())
    return f"{times}: {found['ratio']:.1f} times as long ({middle}). µs a step: {steps}"


def train_table(rows):
    head = ["size", "score", "B", "S", "T", "regard, ms an update", "tokens/s", "PyTorch, ms", "tokens/s", "ratio"]
    lines = []
    for row in rows:
        size, scorer, batch, source, target, _ = row["case"]
        ours, torch = row["sides"][OURS], row["sides"][PYTORCH]
        tokens = [f"{batch * (target + 1) / found['ms_update'] * 1e3:,.0f}" for found in (ours, torch)]
        line = [size, scorer, *map(str, (batch, source, target)), side(ours, "ms_update"), tokens[0]]
        lines.append([*line, side(torch, "ms_update"), tokens[1], ratio(torch)])
    return table(head, lines)


def memory_table(rows):
    head = ["work", "side", "most memory, MB", "before any work, MB", "ratio"]
    lines = []
    for row in rows:
        for name, found in row["sides"].items():
            kilobytes = (found["peak_kb"], found["start_kb"])
            megabytes = [number(value / 1024) for value in kilobytes]
            lines.append([f"`{row['case']}`", name, *megabytes, f"{found['ratio']:.1f}"])
    return table(head, lines)


def limits_tables(results):
    head = ["size", "score", "bytes a step", "as many bytes are read at", "so at least", "measured"]
    head += ["share of the limit"]
    lines = []
    for row in results["steps"]:
        least = row["step_bytes"] / row["gb_s"] / 1e3
        line = [row["size"], row["scorer"], f"{row['step_bytes']:,}", f"{row['gb_s']:.1f} GB/s", f"{least:.1f} µs"]
        lines.append([*line, f"{row['us_step']:.1f} µs", f"{least / row['us_step']:.0%}"])
    tables = [table(head, lines)]
    head = ["size", "threads", "GFLOP an update", "reached, GFLOP/s", "large product", "by the clock (AVX2)"]
    head += ["share of the product", "Adam's bytes at memory speed"]
    lines = []
    for row in results["updates"]:
        reached = row["update_operations"] / row["ms_update"] / 1e6
        line = [row["size"], str(row["threads"]), f"{row['update_operations'] / 1e9:.2f}", f"{reached:.1f}"]
        line += [f"{row['product_gflop_s']:.1f}", f"{row['theoretical_gflop_s']:.1f} at {row['clock_ghz']:.2f} GHz"]
        adam = row["adam_bytes"] / row["memory_gb_s"] / 1e6
        lines.append([*line, f"{reached / row['product_gflop_s']:.0%}", f"{adam:.1f} of {row['ms_update']:.1f} ms"])
    tables.append(table(head, lines))
    levels = [[name, *(f"{value:.1f}" for value in values)] for name, values in results["levels"]]
    tables.append(table(["reading again and again", "1 thread, GB/s", "2 threads, GB/s"], levels))
    return "\n\n".join(tables)
