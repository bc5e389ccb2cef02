"""The heatmap that `heatmap.rs` draws, by matplotlib or seaborn: the same cells, labels and size in pixels.

heatmap.py mpl|sns|snsannot N [REPETITIONS] [FILE] prints one line of JSON: milliseconds from figure to file, the
import apart, and the file's kilobytes.
"""

import json
import os
import statistics
import sys
import tempfile
import time

start = time.perf_counter()
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

kind, n = sys.argv[1], int(sys.argv[2])
repetitions = int(sys.argv[3]) if len(sys.argv) > 3 else 5
if kind != "mpl":
    import seaborn as sns
imported = time.perf_counter() - start

weights = np.random.default_rng(0).random((n, n), dtype=np.float32)
weights /= weights.sum(1, keepdims=True)
words = [f"word{i}" for i in range(n)]
side = min(max(4, n * 0.25), 40) if n <= 200 else 20
path = sys.argv[4] if len(sys.argv) > 4 else os.path.join(tempfile.gettempdir(), f"heatmap-{kind}-{n}.png")

times = []
for _ in range(repetitions):
    begin = time.perf_counter()
    figure, axes = plt.subplots(figsize=(side, side), dpi=100)
    if kind == "mpl":
        image = axes.imshow(weights, cmap="viridis")
        step = 1 if n <= 200 else n // 50
        axes.set_xticks(range(0, n, step), labels=words[::step], rotation=90)
        axes.set_yticks(range(0, n, step), labels=words[::step])
        figure.colorbar(image)
    else:
        annotated = kind == "snsannot"
        sns.heatmap(weights, annot=annotated, fmt=".2f", xticklabels=words, yticklabels=words, ax=axes, cmap="viridis")
    figure.savefig(path)
    times.append(time.perf_counter() - begin)
    plt.close(figure)

print(
    json.dumps(
        {
            "kind": kind,
            "n": n,
            "import_ms": round(imported * 1e3),
            "total_ms": round(statistics.median(times) * 1e3, 1),
            "min_ms": round(min(times) * 1e3, 1),
            "png_kb": os.path.getsize(path) // 1024,
        }
    )
)
