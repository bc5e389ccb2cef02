"""PyTorch's side of the comparison: `torch_side.py THREADS` answers the commands of `compare_engine serve`.

decode, train, memory as there; `export SIZE SCORER FILE` writes the step for ONNX Runtime, and `check SIZE SCORER FILE`
compares the twin, and the exported step, with what the engine dumped.
"""

import os
import sys
import tempfile

import torch

from serve import ENCODINGS, WARM_UP, seconds, serve, step_times
from twin import CLIP, END, SIZES, START, Greedy, Twin, export, load, read_tensors

THREADS = int(sys.argv[1])
torch.set_num_threads(THREADS)
torch.manual_seed(1)
RATE = 1e-3
twins, trainers = {}, {}


def twin_of(size, scorer):
    if (size, scorer) not in twins:
        twins[size, scorer] = Twin(size, scorer).eval()
    return twins[size, scorer]


@torch.inference_mode()
def decode(size, scorer, source, steps, repetitions):
    twin, steps, repetitions = twin_of(size, scorer), int(steps), int(repetitions)
    words = torch.randint(END + 2, SIZES[size][2], (1, int(source)))
    step = Greedy(twin)
    states, keys, start = twin.encode(words)

    def greedy():
        word, state, chosen, kept = torch.tensor([START]), start, [], []
        for _ in range(steps):
            word, state, *weights = step(word, state, keys, states)
            chosen.append(word.item())
            kept.append(weights)
        return chosen, kept

    encoding = seconds(min(repetitions, ENCODINGS), lambda: twin.encode(words))
    for _ in range(WARM_UP):
        greedy()
    times = seconds(repetitions, greedy)
    return {**step_times(times, steps), "encode_us": encoding[len(encoding) // 2] * 1e6}


class Trainer:
    """Adam, fused, on a batch of equal lengths; the same options as the engine's."""

    def __init__(self, twin):
        self.twin = twin.train()
        self.adam = torch.optim.Adam(twin.parameters(), lr=RATE, fused=True)

    def update(self, source, target):
        """One update of `source` `[B, S]` and `target` `[B, T]`, without marks; returns loss and norm."""
        column = target.new_ones(len(target), 1)
        inputs, wanted = torch.cat([column * START, target], 1), torch.cat([target, column * END], 1)
        logits = self.twin(source, inputs)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=0)
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.twin.parameters(), CLIP)
        self.adam.step()
        return loss.item(), norm.item()


def train(size, scorer, batch, source, target, updates):
    batch, target, updates = int(batch), int(target), int(updates)
    if (size, scorer) not in trainers:
        trainers[size, scorer] = Trainer(Twin(size, scorer))
    trainer = trainers[size, scorer]
    sources = torch.randint(END + 2, SIZES[size][2], (batch, int(source)))
    targets = torch.randint(END + 2, SIZES[size][3], (batch, target))
    for _ in range(min(WARM_UP, updates)):
        trainer.update(sources, targets)
    times = seconds(updates, lambda: trainer.update(sources, targets))
    median = times[len(times) // 2]
    return {"ms_update": median * 1e3, "ms_update_min": times[0] * 1e3, "tok_s": batch * (target + 1) / median}


def write_step(size, scorer, file):
    export(twin_of(size, scorer), file)
    return {"file": file}


def difference(a, b):
    return (a - b).abs().max().item()


@torch.no_grad()
def check_decode(twin, tensors):
    """Feeds the engine's own words and compares every logit and weight."""
    wanted, words = tensors["reference.logits"], tensors["reference.tokens"]
    states, keys, state = twin.encode(tensors["reference.source"].unsqueeze(0))
    logits, weights = [], []
    for word in [START, *words[:-1].tolist()]:
        embedded = twin.target_embedding(torch.tensor([word]))
        state, context, weight = twin.step(embedded, state, keys, states)
        logits.append(twin.predict(state, context, embedded))
        weights.append(weight)
    found = {"logits": difference(torch.cat(logits), wanted), "largest_logit": wanted.abs().max().item()}
    if weights[0] is not None:
        found["weights"] = difference(torch.cat(weights), tensors["reference.weights"])
        found["largest_weight"] = tensors["reference.weights"].max().item()
    found["words_differ"] = int((torch.cat(logits).argmax(1) != words).sum())
    return found


@torch.no_grad()
def check_step(twin, tensors):
    """Decodes with ONNX Runtime, every way, and compares words and weights."""
    # Only here, so that no other measurement has the other library in its process.
    from onnx_side import Step

    states, keys, state = twin.encode(tensors["reference.source"].unsqueeze(0))
    words, found = tensors["reference.tokens"].tolist(), {"onnx_words_differ": 0, "onnx_weights": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "step.onnx")
        export(twin, path)
        for way in Step.WAYS:
            step = Step(path, THREADS, way)
            chosen, kept = step.greedy(step.prepare(state.numpy(), keys.numpy(), states.numpy()), len(words))
            found["onnx_words_differ"] += sum(a != b for a, b in zip(chosen, words))
            if "reference.weights" in tensors:
                weights = torch.cat([torch.from_numpy(row) for row in kept])
                found["onnx_weights"] = max(found["onnx_weights"], difference(weights, tensors["reference.weights"]))
    return found


def check(size, scorer, file):
    tensors = read_tensors(file)
    twin = Twin(size, scorer, dropout=0.0).eval()
    load(twin, tensors)
    found = {**check_decode(twin, tensors), **check_step(twin, tensors)}
    trainer = Trainer(twin)
    updates = [trainer.update(tensors["batch.source"], tensors["batch.target"]) for _ in range(3)]
    return {**found, "losses": [loss for loss, _ in updates], "norms": [norm for _, norm in updates]}


if __name__ == "__main__":
    serve({"decode": decode, "train": train, "export": write_step, "check": check})
