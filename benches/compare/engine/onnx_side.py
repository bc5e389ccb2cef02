"""ONNX Runtime's side of the comparison: `onnx_side.py THREADS WAY FOLDER`, with the steps that PyTorch exported.

`decode` and `memory` are the commands of `compare_engine serve`. It has no encoder: keys and states are noise, and the
time does not depend on them. A step is called by `run` with arrays, or `bound` to memory that stays.
"""

import os
import sys

import numpy as np
import onnxruntime as ort

from serve import WARM_UP, seconds, serve, step_times

START = 1


class Step:
    """One exported decoding step."""

    WAYS = ["run", "bound"]

    def __init__(self, path, threads, way):
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        # The bottleneck's graph looks at no states.
        self.inputs = {given.name: given.shape for given in self.session.get_inputs()}
        self.attends = len(self.session.get_outputs()) == 3
        self.greedy = self.greedy_run if way == "run" else self.greedy_bound
        self.prepare = self.arrays if way == "run" else self.bind

    def arrays(self, state, keys, states):
        fixed = {"keys": keys, "states": states}
        return state, {name: array for name, array in fixed.items() if name in self.inputs}

    def greedy_run(self, prepared, steps):
        """Words and weights of a decode."""
        state, fixed = prepared
        word, chosen, kept = np.array([START]), [], []
        for _ in range(steps):
            word, state, *weights = self.session.run(None, {"word": word, "state": state, **fixed})
            chosen.append(int(word[0]))
            kept.extend(weights)
        return chosen, kept

    def bind(self, state, keys, states):
        """Two bindings in turns: each reads the word and state that the other wrote."""
        value = ort.OrtValue.ortvalue_from_numpy
        words = [value(np.array([START])) for _ in range(2)]
        hidden = [value(state.copy()) for _ in range(2)]
        fixed = {"keys": value(keys), "states": value(states)}
        weights = value(np.zeros((1, states.shape[1]), np.float32))
        bindings = []
        for here in range(2):
            binding = self.session.io_binding()
            binding.bind_ortvalue_input("word", words[here])
            binding.bind_ortvalue_input("state", hidden[here])
            for name, array in fixed.items():
                if name in self.inputs:
                    binding.bind_ortvalue_input(name, array)
            binding.bind_ortvalue_output("next_word", words[1 - here])
            binding.bind_ortvalue_output("next_state", hidden[1 - here])
            if self.attends:
                binding.bind_ortvalue_output("weights", weights)
            bindings.append(binding)
        # Views of the memory that the bindings write to, so that reading a word is no call into the library.
        views = [word.numpy() for word in words], weights.numpy()
        return bindings, words, hidden, state, views, (fixed, weights)

    def greedy_bound(self, prepared, steps):
        """As `greedy_run`."""
        bindings, words, hidden, state, (seen, weights), _ = prepared
        words[0].update_inplace(np.array([START]))
        hidden[0].update_inplace(state)
        run, chosen, kept = self.session.run_with_iobinding, [], []
        for step in range(steps):
            run(bindings[step % 2])
            chosen.append(int(seen[1 - step % 2][0]))
            if self.attends:
                kept.append(weights.copy())
        return chosen, kept


def main():
    threads, way, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    steps_of = {}

    def decode(size, scorer, source, steps, repetitions):
        if (size, scorer) not in steps_of:
            steps_of[size, scorer] = Step(os.path.join(folder, f"{size}-{scorer}.onnx"), threads, way)
        step, steps, length = steps_of[size, scorer], int(steps), int(source)
        noise = np.random.default_rng(1).standard_normal
        shapes = {**step.inputs}
        shapes.setdefault("states", [1, length, shapes["state"][1]])
        sized = {name: [n if isinstance(n, int) else length for n in shape] for name, shape in shapes.items()}
        given = [noise(sized[name], np.float32) * 0.3 for name in ("state", "keys", "states")]
        prepared = step.prepare(*given)
        for _ in range(WARM_UP):
            step.greedy(prepared, steps)
        return step_times(seconds(int(repetitions), lambda: step.greedy(prepared, steps)), steps)

    serve({"decode": decode})


if __name__ == "__main__":
    main()
