"""The processes that are compared. Each stays alive and answers commands, see `compare_engine serve`."""

import json
import os
import subprocess
import sys
import time

OURS, PYTORCH, ONNX = "regard", "PyTorch", "ONNX Runtime"
HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = (1, 2)
# Threads of the libraries spin for a while after their work; the next side must not pay for it.
PAUSE = 0.05


class Side:
    """One process."""

    def __init__(self, label, threads, command):
        self.label, self.threads, self.command, self.process = label, threads, command, None

    def ask(self, line):
        """Its answer to a command; it is started when it is first needed."""
        if self.process is None:
            count = str(self.threads)
            variables = {**os.environ, "OMP_NUM_THREADS": count, "MKL_NUM_THREADS": count}
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True, env=variables)
        time.sleep(PAUSE)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.label} ended at: {line}")
        answer = json.loads(answer)
        if "error" in answer:
            raise RuntimeError(f"{self.label} at: {line}\n{answer['error']}")
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None:
            self.process.stdin.close()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None


class Sides:
    """All candidates; the exported steps lie in `folder`."""

    def __init__(self, ours, folder):
        self.ours, self.folder, self.exported = ours, folder, set()
        # A process of its own, so that PyTorch's side does not carry the exporter along.
        self.exporter = self.make(PYTORCH)[-1]
        self.all = {name: self.make(name) for name in (OURS, PYTORCH, ONNX)}

    def make(self, name):
        """New processes of a side, not yet started."""
        python, folder = sys.executable, self.folder
        script = {PYTORCH: os.path.join(HERE, "torch_side.py"), ONNX: os.path.join(HERE, "onnx_side.py")}
        made = []
        for n in THREADS:
            if name == OURS:
                made.append(Side(f"{n} thr.", n, [self.ours, "serve", str(n)]))
            elif name == PYTORCH:
                made.append(Side(f"{n} thr.", n, [python, script[name], str(n)]))
            else:
                ways = ("run", "bound")
                made += [Side(f"{n} thr., {way}", n, [python, script[name], str(n), way, folder]) for way in ways]
        return made

    def export(self, size, scorer):
        if (size, scorer) not in self.exported:
            path = os.path.join(self.folder, f"{size}-{scorer}.onnx")
            self.exporter.ask(f"export {size} {scorer} {path}")
            self.exported.add((size, scorer))

    def candidates(self, name, case):
        """The processes of a side that may take the case."""
        if name == ONNX:
            self.export(case[0], case[1])
        return self.all[name]

    def fresh(self, name, case):
        """A process of its own, with as many threads as there are: the memory hardly depends on it."""
        self.candidates(name, case)
        return self.make(name)[-1]

    def rest(self):
        """Ends all processes; they start anew when they are asked."""
        for side in [self.exporter, *(side for sides in self.all.values() for side in sides)]:
            side.__exit__()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.rest()
