"""Reference numbers from PyTorch for the attention encoder-decoder of this project.

    python tests/reference/make_reference.py            write cases.safetensors and cases.json
    python tests/reference/make_reference.py --check    recompute and compare with the stored files,
                                                        and measure how far a float32 run lies off

Run by hand, never in CI. Everything is computed in float64 by PyTorch's own modules (nn.GRU, nn.LSTM,
nn.GRUCell, nn.LSTMCell, nn.Linear, F.cross_entropy, autograd, optim.Adam) and rounded to float32 when it is
stored. The parameters are rounded to float32 *before* anything is computed, so what is stored is exactly what
was used.

Letters: B batch, S source length, T target length, E embedding, H encoder size per direction, K = 2H,
D decoder, A attention, R readout, V vocabulary, g = 3 (GRU) or 4 (LSTM).

Weights are stored [in, out] (y = x W + b), that is, transposed from PyTorch; embeddings and the untied
`decoder.output.w` are stored [V, width] as PyTorch has them. README.md lists every key.

Loss
----
Targets y[t, b] with pad id 0, N = the number of targets that are not pad, p = softmax(logits), e = smoothing:

    loss = (1/N) sum over non-pad (t, b) of [ (1 - e) * -ln p[y]  +  (e / V) * sum over v of -ln p[v] ]

This is F.cross_entropy(ignore_index=0, label_smoothing=e, reduction="mean"), and `loss_by_hand` asserts it.
Three things to note: the smoothing mass e/V goes to *all* V classes, the right one and the pad class 0 among
them, so the right class has the target probability 1 - e + e/V; a pad position contributes neither its nll nor
its smoothing term; both terms are divided by the same N (one mean over the batch, not one per sentence).

Optimiser
---------
Ten steps on the same batch. At each: loss (this is `adam_losses[i]`, before the update); gradients; clipping;
Adam(lr 1e-2, betas 0.9 and 0.999, eps 1e-8, no weight decay).
`adam_gradient_norms[i]` is the norm before clipping; clipping acts at all steps of some cases, at none of
others, and comes and goes in the rest. Only the last kind tests it sharply: Adam does not notice a factor that
is the same at every step.

    clipping   n = sqrt(sum of all squared gradients); g *= min(1, 1.0 / (n + 1e-6))
    Adam       m = 0.9 m + 0.1 g;  v = 0.999 v + 0.001 g^2;
               p -= lr * (m / (1 - 0.9^i)) / (sqrt(v / (1 - 0.999^i)) + eps),  i from 1

A tied target embedding is one parameter, with the sum of both gradients. No embedding row is special: the pad
row is trained like any other (torch's padding_idx is not used).
"""

import itertools
import json
import math
import sys
import zlib
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.numpy import load_file, save_file

HERE = Path(__file__).parent
PAD, START, END, FIRST_WORD = 0, 1, 2, 3
SCORES = ["additive", "dot", "general", "scaled_dot", "bottleneck"]
ADAM = {"lr": 1e-2, "betas": (0.9, 0.999), "eps": 1e-8}
ADAM_STEPS = 10
CLIP_NORM = 1.0
# Attention is then far from uniform, and float32 still follows to 1e-6. At 0.4 it is within 1% of uniform in some
# cases, and gradients of attention matrices fall to 1e-6, where a test would pass with no gradient at all; at 0.8
# one model is so steep that float32 strays by 1e-5.
INIT_STD = 0.7


class Model(nn.Module):
    """Section "Model" of README.md, in PyTorch's modules and PyTorch's orientation."""

    def __init__(self, c):
        super().__init__()
        self.c = c
        E, H, K, D, A, R = (c[x] for x in "EHKDAR")
        gru = c["cell"] == "gru"
        bahdanau = c["wiring"] == "bahdanau"
        feed = K if bahdanau else (R if c["input_feeding"] else 0)
        self.source_embedding = nn.Embedding(c["Vs"], E)
        self.target_embedding = nn.Embedding(c["Vt"], E)
        self.encoder = (nn.GRU if gru else nn.LSTM)(E, H, bidirectional=True)
        self.init = nn.Linear(H, D)
        self.cell = (nn.GRUCell if gru else nn.LSTMCell)(E + feed, D)
        if c["score"] == "additive":
            self.w_a = nn.Linear(D, A, bias=False)
            self.u_a = nn.Linear(K, A, bias=False)
            self.v_a = nn.Linear(A, 1, bias=False)
        elif c["score"] == "general":
            self.w_a = nn.Linear(K, D, bias=False)
        self.readout = nn.Linear(D + K + E, R) if bahdanau else nn.Linear(K + D, R, bias=False)
        if not c["tied"]:
            self.output_w = nn.Parameter(torch.empty(c["Vt"], R))
        self.output_b = nn.Parameter(torch.empty(c["Vt"]))

    def named_for_project(self):
        """(the project's name, the torch parameter, how to lay it out), in a fixed order."""
        same, transpose, flat = (lambda x: x), (lambda x: x.T), (lambda x: x.reshape(-1))
        out = [("source_embedding", self.source_embedding.weight, same)]
        for direction, suffix in (("forward", ""), ("backward", "_reverse")):
            for ours, theirs, lay in (
                ("w_x", "weight_ih_l0", transpose),
                ("w_h", "weight_hh_l0", transpose),
                ("b_x", "bias_ih_l0", same),
                ("b_h", "bias_hh_l0", same),
            ):
                out.append((f"encoder.{direction}.{ours}", getattr(self.encoder, theirs + suffix), lay))
        out += [
            ("decoder.init.w", self.init.weight, transpose),
            ("decoder.init.b", self.init.bias, same),
            ("target_embedding", self.target_embedding.weight, same),
            ("decoder.cell.w_x", self.cell.weight_ih, transpose),
            ("decoder.cell.w_h", self.cell.weight_hh, transpose),
            ("decoder.cell.b_x", self.cell.bias_ih, same),
            ("decoder.cell.b_h", self.cell.bias_hh, same),
        ]
        if self.c["score"] == "additive":
            out += [
                ("decoder.attention.w_a", self.w_a.weight, transpose),
                ("decoder.attention.u_a", self.u_a.weight, transpose),
                ("decoder.attention.v_a", self.v_a.weight, flat),
            ]
        elif self.c["score"] == "general":
            out.append(("decoder.attention.w_a", self.w_a.weight, transpose))
        out.append(("decoder.readout.w", self.readout.weight, transpose))
        if self.readout.bias is not None:
            out.append(("decoder.readout.b", self.readout.bias, same))
        if not self.c["tied"]:
            out.append(("decoder.output.w", self.output_w, same))
        out.append(("decoder.output.b", self.output_b, same))
        assert {id(p) for _, p, _ in out} == {id(p) for p in self.parameters()}
        assert len(out) == len(list(self.parameters()))
        return out

    def scores(self, query, keys):
        """Raw scores [B, S] of a query [B, D] against keys [S, B, K], before the mask."""
        kind = self.c["score"]
        if kind == "additive":
            return self.v_a(torch.tanh(self.w_a(query)[None] + self.u_a(keys))).squeeze(-1).T
        if kind == "general":
            keys = self.w_a(keys)
        scores = torch.einsum("bd,sbd->bs", query, keys)
        return scores / math.sqrt(self.c["K"]) if kind == "scaled_dot" else scores

    def attend(self, query, states, mask, trace):
        H = self.c["H"]
        if self.c["score"] == "bottleneck":
            context = torch.cat([states[-1, :, :H], states[0, :, H:]], dim=1)
        else:
            scores = self.scores(query, states)
            kept = scores if mask is None else scores.masked_fill(~mask, -math.inf)
            weights = F.softmax(kept, dim=1)
            context = torch.einsum("bs,sbk->bk", weights, states)
            trace["scores"].append(scores)
            trace["weights"].append(weights)
        trace["contexts"].append(context)
        return context

    def run_cell(self, x, state, memory, trace):
        """One step of PyTorch's cell; its gates are taken again by hand and must reproduce the step."""
        gx = F.linear(x, self.cell.weight_ih, self.cell.bias_ih).chunk(3 if memory is None else 4, dim=1)
        gh = F.linear(state, self.cell.weight_hh, self.cell.bias_hh).chunk(3 if memory is None else 4, dim=1)
        if memory is None:
            new = self.cell(x, state)
            r, z = torch.sigmoid(gx[0] + gh[0]), torch.sigmoid(gx[1] + gh[1])
            n = torch.tanh(gx[2] + r * gh[2])
            gates, again = (r, z, n), (1 - z) * n + z * state
        else:
            new, new_memory = self.cell(x, (state, memory))
            i, f, o = (torch.sigmoid(gx[k] + gh[k]) for k in (0, 1, 3))
            g = torch.tanh(gx[2] + gh[2])
            gates, again = (i, f, g, o), o * torch.tanh(f * memory + i * g)
            memory = new_memory
            trace["decoder_memories"].append(memory)
        torch.testing.assert_close(new, again, rtol=0, atol=1e-12 if new.dtype == torch.float64 else 1e-5)
        trace["gates"].append(torch.cat(gates, dim=1).detach())
        trace["decoder_states"].append(new)
        return new, memory

    def forward(self, source, inputs, mask):
        c = self.c
        trace = {k: [] for k in ("scores", "weights", "contexts", "decoder_states", "decoder_memories", "gates", "readouts")}
        states, _ = self.encoder(self.source_embedding(source))
        state = torch.tanh(self.init(states[0, :, c["H"] :]))
        initial = state
        memory = None if c["cell"] == "gru" else torch.zeros_like(state)
        fed = state.new_zeros(source.shape[1], c["R"])
        for word in inputs:
            embedded = self.target_embedding(word)
            if c["wiring"] == "bahdanau":
                context = self.attend(state, states, mask, trace)
                state, memory = self.run_cell(torch.cat([embedded, context], 1), state, memory, trace)
                readout = torch.tanh(self.readout(torch.cat([state, context, embedded], 1)))
            else:
                x = torch.cat([embedded, fed], 1) if c["input_feeding"] else embedded
                state, memory = self.run_cell(x, state, memory, trace)
                context = self.attend(state, states, mask, trace)
                readout = fed = torch.tanh(self.readout(torch.cat([context, state], 1)))
            trace["readouts"].append(readout)
        forward = {k: torch.stack(v) for k, v in trace.items() if v}
        output = self.target_embedding.weight if c["tied"] else self.output_w
        forward["logits"] = F.linear(forward["readouts"], output, self.output_b)
        forward["states"], forward["initial_state"] = states, initial
        return forward


def loss_of(logits, targets, smoothing):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD, label_smoothing=smoothing)


def loss_by_hand(logits, targets, smoothing):
    """The formula in the docstring of this file."""
    total, count = 0.0, 0
    for row, target in zip(torch.log_softmax(logits.detach(), -1).flatten(0, 1), targets.flatten()):
        if target != PAD:
            total += (1 - smoothing) * -row[target].item() + smoothing / len(row) * -row.sum().item()
            count += 1
    return total / count


def configurations():
    def case(score, cell, wiring, tied, masked, feeding=None, smoothing=0.0, extra=""):
        feeding = wiring == "luong" if feeding is None else feeding
        # Shapes are not all equal: an untied readout is wider than the embedding, and where the score allows
        # it D differs from K. A tied output needs R = E, the two dot products need D = K.
        free = score in ("additive", "general", "bottleneck")
        D = 5 if free and (tied == masked) else 6
        name = "-".join([score, cell, wiring, "tied" if tied else "untied", "masked" if masked else "open"]) + extra
        return {
            "name": name, "score": score, "cell": cell, "wiring": wiring, "input_feeding": feeding, "tied": tied,
            "masked": masked, "label_smoothing": smoothing,
            "Vs": 11, "Vt": 9, "E": 4, "H": 3, "K": 6, "D": D, "A": 7, "R": 4 if tied else 5, "B": 3, "S": 4, "T": 5,
        }  # fmt: skip

    yes_no = (True, False)
    cases = [case(*x) for x in itertools.product(SCORES, ("gru", "lstm"), ("bahdanau", "luong"), yes_no, yes_no)]
    cases += [
        case(score, cell, "luong", score == "additive", cell == "lstm", feeding=False, extra="-nofeed")
        for score, cell in itertools.product(("additive", "dot"), ("gru", "lstm"))
    ]
    cases.append(case("additive", "gru", "bahdanau", True, False, smoothing=0.1, extra="-smooth"))
    cases.append(case("general", "lstm", "luong", False, True, smoothing=0.1, extra="-smooth"))
    assert len({c["name"] for c in cases}) == len(cases)
    return cases


def make_batch(c, random):
    """Source [S, B], decoder inputs [T, B], targets [T, B], mask [B, S] or None."""
    S, B, T = c["S"], c["B"], c["T"]
    source = random.randint(FIRST_WORD, c["Vs"], size=(S, B))
    inputs, targets = np.full((T, B), PAD), np.full((T, B), PAD)
    for b, words in enumerate(random.permutation([T - 1, T - 2, 1])):
        sentence = [START, *random.randint(FIRST_WORD, c["Vt"], size=words), END]
        sentence = np.array(sentence + [PAD] * (T + 1 - len(sentence)))
        inputs[:, b], targets[:, b] = sentence[:-1], sentence[1:]
    mask = None
    if c["masked"]:
        # A hole in the middle, a tail cut off as by padding, and one position left alone.
        patterns = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0]])
        mask = patterns[random.permutation(3)]
    return source, inputs, targets, mask


def run_case(c, dtype=torch.float64):
    """Tensors (project names) and the JSON entry of one case."""
    random = np.random.RandomState(zlib.crc32(c["name"].encode()))
    batch = make_batch(c, random)
    source, inputs, targets = (torch.tensor(x) for x in batch[:3])
    mask = None if batch[3] is None else torch.tensor(batch[3]).bool()
    model = Model(c).to(dtype)
    tensors = {}
    for name, parameter, lay in model.named_for_project():
        value = (INIT_STD * random.standard_normal(parameter.shape)).astype(np.float32)
        parameter.data.copy_(torch.from_numpy(value))
        tensors[f"param/{name}"] = lay(parameter.detach().clone())

    forward = model(source, inputs, mask)
    loss = loss_of(forward["logits"], targets, c["label_smoothing"])
    if dtype == torch.float64:
        assert abs(loss.item() - loss_by_hand(forward["logits"], targets, c["label_smoothing"])) < 1e-12
        if mask is not None and c["score"] != "bottleneck":
            assert (forward["weights"][:, ~mask] == 0).all()
    loss.backward()
    for name, parameter, lay in model.named_for_project():
        tensors[f"grad/{name}"] = lay(parameter.grad.clone())
    tensors.update({k: v.detach() for k, v in forward.items()})

    entry = {k: v for k, v in c.items() if k != "masked"}
    entry["source"], entry["decoder_inputs"], entry["targets"] = (x.tolist() for x in batch[:3])
    entry["mask"] = None if batch[3] is None else batch[3].tolist()
    entry["loss"] = loss.item()
    optimizer = torch.optim.Adam(model.parameters(), **ADAM)
    entry["adam_losses"], entry["adam_gradient_norms"] = [], []
    for _ in range(ADAM_STEPS):
        optimizer.zero_grad()
        loss = loss_of(model(source, inputs, mask)["logits"], targets, c["label_smoothing"])
        loss.backward()
        entry["adam_gradient_norms"].append(nn.utils.clip_grad_norm_(model.parameters(), CLIP_NORM).item())
        optimizer.step()
        entry["adam_losses"].append(loss.item())
    assert entry["adam_losses"][0] == entry["loss"]
    return {k: np.ascontiguousarray(v.numpy().astype(np.float32)) for k, v in tensors.items()}, entry


def run_all(dtype=torch.float64):
    tensors, entries = {}, []
    for c in configurations():
        values, entry = run_case(c, dtype)
        tensors.update({f"{c['name']}/{k}": v for k, v in values.items()})
        entries.append(entry)
    return tensors, entries


def check():
    """Compare a fresh float64 run, and a float32 run, with what is stored."""
    stored, stored_entries = load_file(HERE / "cases.safetensors"), json.loads((HERE / "cases.json").read_text())["cases"]
    for label, dtype in (("float64", torch.float64), ("float32", torch.float32)):
        tensors, entries = run_all(dtype)
        assert tensors.keys() == stored.keys()
        worst = {}
        for key, value in tensors.items():
            kind = key.split("/")[1]
            worst[kind] = max(worst.get(kind, 0.0), float(np.abs(value - stored[key]).max()))
        for old, new in zip(stored_entries, entries):
            for kind in ("loss", "adam_losses", "adam_gradient_norms"):
                off = float(np.abs(np.subtract(old[kind], new[kind])).max())
                worst[kind] = max(worst.get(kind, 0.0), off)
            assert all(old[k] == new[k] for k in ("name", "source", "decoder_inputs", "targets", "mask"))
        print(f"largest absolute difference of a {label} run from the stored numbers:")
        for kind, off in worst.items():
            print(f"  {kind:20} {off:.1e}")


def main():
    torch.set_num_threads(1)
    if "--check" in sys.argv[1:]:
        return check()
    tensors, entries = run_all()
    save_file(tensors, HERE / "cases.safetensors", metadata={"made_by": f"torch {torch.__version__.split('+')[0]}"})
    (HERE / "cases.safetensors").chmod(0o644)
    head = {"torch": torch.__version__.split("+")[0], "numpy": np.__version__, "pad": PAD, "start": START, "end": END}
    head["adam"] = {"lr": ADAM["lr"], "beta1": ADAM["betas"][0], "beta2": ADAM["betas"][1], "eps": ADAM["eps"]}
    head["adam"]["clip_norm"] = CLIP_NORM
    lines = ",\n".join("  " + json.dumps(e) for e in entries)
    opening = json.dumps(head)[:-1]
    (HERE / "cases.json").write_text(f'{opening}, "cases": [\n{lines}\n]}}\n')
    print(len(entries), "cases,", len(tensors), "tensors")


if __name__ == "__main__":
    main()
