"""The engine's network in PyTorch: GRU, Bahdanau wiring, tied output, as ARCHITECTURE.md writes it down.

Shapes: B sentences, S source words, E embedding, H encoder, D decoder, K keys, A attention, R readout, V words.
"""

import json
import logging
import math
import struct

import numpy as np
import torch
from torch import nn

PAD, START, END = 0, 1, 2
SCORERS = ["additive", "dot", "general", "scaled_dot", "bottleneck"]
# E = R, H, V of the source, V of the target; D = K = A = 2H. `model.rs` has the same.
SIZES = {"small": (64, 64, 100, 100), "everyday": (128, 128, 8000, 6000), "large": (256, 256, 8000, 6000)}
# TrainingOptions::default().
DROPOUT, CLIP = 0.2, 1.0


class Twin(nn.Module):
    """Embeddings, encoder, decoder."""

    def __init__(self, size, scorer, dropout=DROPOUT):
        super().__init__()
        e, h, source, target = SIZES[size]
        d = k = a = 2 * h
        self.size, self.scorer, self.h = size, scorer, h
        self.source_embedding = nn.Embedding(source, e)
        self.target_embedding = nn.Embedding(target, e)
        self.encoder = nn.GRU(e, h, bidirectional=True, batch_first=True)
        self.init = nn.Linear(h, d)
        self.cell = nn.GRUCell(e + k, d)
        if scorer == "additive":
            self.w_a = nn.Linear(d, a, bias=False)
            self.u_a = nn.Linear(k, a, bias=False)
            self.v_a = nn.Linear(a, 1, bias=False)
        elif scorer == "general":
            self.w_a = nn.Linear(k, d, bias=False)
        self.readout = nn.Linear(d + k + e, e)
        self.output = nn.Linear(e, target)
        for embedding in (self.source_embedding, self.target_embedding):
            nn.init.normal_(embedding.weight, 0, 0.1)
        self.output.weight = self.target_embedding.weight
        self.dropout = nn.Dropout(dropout)

    def encode(self, source):
        """`[B, S]` to states `[B, S, K]`, keys projected once, and the first state `[B, D]`."""
        states, _ = self.encoder(self.dropout(self.source_embedding(source)))
        return states, self.project(states), torch.tanh(self.init(states[:, 0, self.h :]))

    def project(self, states):
        """Keys `[B, S, A]`; for the bottleneck all that the decoder ever sees `[B, K]`."""
        if self.scorer == "additive":
            return self.u_a(states)
        if self.scorer == "general":
            return self.w_a(states)
        if self.scorer == "bottleneck":
            return torch.cat([states[:, -1, : self.h], states[:, 0, self.h :]], 1)
        return states

    def attend(self, query, keys, states):
        """Context `[B, K]` and weights `[B, S]`."""
        if self.scorer == "bottleneck":
            return keys, None
        if self.scorer == "additive":
            scores = self.v_a(torch.tanh(self.w_a(query).unsqueeze(1) + keys)).squeeze(2)
        else:
            scores = torch.bmm(keys, query.unsqueeze(2)).squeeze(2)
            if self.scorer == "scaled_dot":
                scores = scores / math.sqrt(keys.shape[2])
        weights = torch.softmax(scores, 1)
        return torch.bmm(weights.unsqueeze(1), states).squeeze(1), weights

    def step(self, embedded, state, keys, states):
        """The part of a step that needs the step before: next state, context, weights."""
        context, weights = self.attend(state, keys, states)
        return self.cell(torch.cat([embedded, context], 1), state), context, weights

    def predict(self, state, context, embedded):
        """Logits, of one step or of all at once."""
        readout = torch.tanh(self.readout(torch.cat([state, context, embedded], -1)))
        return self.output(self.dropout(readout))

    def forward(self, source, inputs):
        """Teacher-forced logits `[B, T, V]` of `inputs` `[B, T]`; readouts and logits of all steps are one product."""
        states, keys, state = self.encode(source)
        embedded = self.dropout(self.target_embedding(inputs))
        hidden, contexts = [], []
        for word in embedded.unbind(1):
            state, context, _ = self.step(word, state, keys, states)
            hidden.append(state)
            contexts.append(context)
        return self.predict(torch.stack(hidden, 1), torch.stack(contexts, 1), embedded)


class Greedy(nn.Module):
    """One decoding step: word `[1]`, state, keys, states to the next word, the next state and the weights."""

    def __init__(self, twin):
        super().__init__()
        self.twin = twin

    def forward(self, word, state, keys, states=None):
        twin = self.twin
        embedded = twin.target_embedding(word)
        state, context, weights = twin.step(embedded, state, keys, states)
        word = twin.predict(state, context, embedded).argmax(-1)
        return (word, state) if weights is None else (word, state, weights)


def read_tensors(path):
    """The tensors of a safetensors file."""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    kinds = {"F32": "<f4", "U32": "<u4"}
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + at for at in entry["data_offsets"])
        values = np.frombuffer(data[begin:end], kinds[entry["dtype"]]).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.astype(np.int64) if entry["dtype"] == "U32" else values.copy())
    return tensors


def load(twin, tensors):
    """Takes over the engine's parameters; it stores weights `[in, out]`, PyTorch `[out, in]`."""
    taken = {"source_embedding.weight": "source_embedding", "target_embedding.weight": "target_embedding"}
    taken["output.weight"], taken["output.bias"] = "target_embedding", "decoder.output.b"
    cells = [("encoder", "_l0", "encoder.forward"), ("encoder", "_l0_reverse", "encoder.backward")]
    for ours, suffix, theirs in [*cells, ("cell", "", "decoder.cell")]:
        for there, here in [("weight_ih", "w_x"), ("weight_hh", "w_h"), ("bias_ih", "b_x"), ("bias_hh", "b_h")]:
            taken[f"{ours}.{there}{suffix}"] = f"{theirs}.{here}"
    for layer in ("init", "readout"):
        taken[f"{layer}.weight"], taken[f"{layer}.bias"] = f"decoder.{layer}.w", f"decoder.{layer}.b"
    for layer in ("w_a", "u_a", "v_a"):
        taken[f"{layer}.weight"] = f"decoder.attention.{layer}"
    parameters = twin.state_dict()
    for name in parameters:
        values = tensors[taken[name]]
        if "embedding" not in taken[name] and values.dim() == 2:
            values = values.t()
        parameters[name] = values.reshape(1, -1) if name == "v_a.weight" else values
    twin.load_state_dict(parameters)
    unused = {name for name in tensors if "." in name} - set(taken.values())
    unused = {name for name in unused if not name.startswith(("reference.", "batch."))}
    if unused:
        raise ValueError(f"the twin has no {sorted(unused)}")


def export(twin, path):
    """Writes the decoding step as one ONNX graph that takes every source length."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    twin.eval()
    with torch.no_grad():
        states, keys, state = twin.encode(torch.randint(END + 2, SIZES[twin.size][2], (1, 10)))
    length = torch.export.Dim("source", min=2, max=4096)
    attends = twin.scorer != "bottleneck"
    names, lengths = ["word", "state", "keys"], [None, None, {1: length} if attends else None]
    arguments = [torch.tensor([START]), state, keys.clone()]
    if attends:
        names, lengths, arguments = [*names, "states"], [*lengths, {1: length}], [*arguments, states.clone()]
    torch.onnx.export(
        Greedy(twin).eval(),
        tuple(arguments),
        path,
        input_names=names,
        output_names=["next_word", "next_state", "weights"][: 3 if attends else 2],
        dynamic_shapes=tuple(lengths),
        dynamo=True,
        external_data=False,
        verbose=False,
    )
