"""What the Python sides share: commands a line, answers as a line of JSON, as `compare_engine serve` has it."""

import gc
import json
import sys
import time
import traceback
import warnings

# Runs before the clock starts.
WARM_UP = 3
# Most encodings that are timed.
ENCODINGS = 10


def seconds(repetitions, work):
    """Seconds of each run, shortest first; what it leaves is freed after the clock has stopped."""
    times = []
    for _ in range(max(repetitions, 1)):
        begin = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - begin)
        del result
    return sorted(times)


def memory_kb():
    """The most memory that the process had, in kB; 0 where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return 0


def step_times(times, steps):
    """What `decode` answers."""
    return {"us_step": times[len(times) // 2] * 1e6 / steps, "us_step_min": times[0] * 1e6 / steps}


def serve(commands):
    """Answers until the input ends or says `quit`; `commands` are functions of the words after their name."""
    warnings.filterwarnings("ignore")
    answers, sys.stdout = sys.stdout, sys.stderr
    start = memory_kb()
    commands["memory"] = lambda: {"peak_kb": memory_kb(), "start_kb": start}
    # Python looks for garbage before a command, never while the clock runs.
    gc.disable()
    for line in sys.stdin:
        name, *words = line.split()
        if name == "quit":
            break
        gc.collect()
        try:
            answer = commands[name](*words)
        except Exception:
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), file=answers, flush=True)
