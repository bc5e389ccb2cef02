"""Reference attributions from PyTorch, on models of cases.safetensors.

    python tests/reference/make_attribution.py            write attribution.json
    python tests/reference/make_attribution.py --check    recompute and compare with the stored file

Run by hand, never in CI, after make_reference.py. For every score, cell and wiring it takes the tied, unmasked
model and its longest sentence, forces it through the targets, and asks PyTorch's autograd, in float64, about
ln p(y_t) of every target. README.md lists the keys.

Integrals are Gauss-Legendre sums of 100 points (numpy's), asserted to add up to the difference to 1e-9. The
encoder is unrolled by hand where whole derivatives are asked for, since nn.GRU and nn.LSTM keep no state in
between; the unrolled states are asserted to be theirs.
"""

import json
import sys

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file

from make_reference import HERE, PAD, SCORES, Model, configurations

POINTS = 100


def load(c, stored):
    model = Model(c).double()
    for name, parameter, lay in model.named_for_project():
        value = torch.from_numpy(stored[f"{c['name']}/param/{name}"]).double()
        # The project's layout is a view of the parameter.
        lay(parameter.data).copy_(value)
        assert torch.equal(lay(parameter.detach()), value)
    return model


def decode(model, states, inputs, mask=None):
    """ln p of every next word [T, V], B = 1, from encoder states [S, 1, K]."""
    c = model.c
    trace = {k: [] for k in ("scores", "weights", "contexts", "decoder_states", "decoder_memories", "gates")}
    state = torch.tanh(model.init(states[0, :, c["H"] :]))
    memory = None if c["cell"] == "gru" else torch.zeros_like(state)
    fed, readouts = state.new_zeros(1, c["R"]), []
    for word in inputs:
        embedded = model.target_embedding(word[None])
        if c["wiring"] == "bahdanau":
            context = model.attend(state, states, mask, trace)
            state, memory = model.run_cell(torch.cat([embedded, context], 1), state, memory, trace)
            readout = torch.tanh(model.readout(torch.cat([state, context, embedded], 1)))
        else:
            x = torch.cat([embedded, fed], 1) if c["input_feeding"] else embedded
            state, memory = model.run_cell(x, state, memory, trace)
            context = model.attend(state, states, mask, trace)
            readout = fed = torch.tanh(model.readout(torch.cat([context, state], 1)))
        readouts.append(readout)
    logits = F.linear(torch.cat(readouts), model.target_embedding.weight, model.output_b)
    return F.log_softmax(logits, dim=1)


def unrolled(model, embedded):
    """The states of both directions, one tensor a position, so that each has a gradient."""
    c, both = model.c, []
    for suffix, order in (("", range(c["S"])), ("_reverse", reversed(range(c["S"])))):
        w_x, w_h, b_x, b_h = (getattr(model.encoder, f"{n}_l0{suffix}") for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        h = m = embedded.new_zeros(1, c["H"])
        states = [None] * c["S"]
        for j in order:
            gx = F.linear(embedded[j], w_x, b_x).chunk(3 if c["cell"] == "gru" else 4, dim=1)
            gh = F.linear(h, w_h, b_h).chunk(len(gx), dim=1)
            if c["cell"] == "gru":
                r, z = torch.sigmoid(gx[0] + gh[0]), torch.sigmoid(gx[1] + gh[1])
                h = (1 - z) * torch.tanh(gx[2] + r * gh[2]) + z * h
            else:
                i, f, o = (torch.sigmoid(gx[k] + gh[k]) for k in (0, 1, 3))
                m = f * m + i * torch.tanh(gx[2] + gh[2])
                h = o * torch.tanh(m)
            h.retain_grad() if h.requires_grad else None
            states[j] = h
        both.append(states)
    whole = torch.stack([torch.cat([a, b], 1) for a, b in zip(*both)])
    torch.testing.assert_close(whole, model.encoder(embedded)[0], rtol=0, atol=1e-12)
    return both, whole


def integrated(function, x, steps):
    """Shares [T, S] of x [S, 1, .] in every ln p, from zeros."""
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    shares = torch.zeros(steps, x.shape[0], dtype=torch.float64)
    for point, weight in zip((points + 1) / 2, weights / 2):
        scaled = (point * x).requires_grad_()
        values = function(scaled)
        for t in range(steps):
            (gradient,) = torch.autograd.grad(values[t], scaled, retain_graph=True)
            shares[t] += weight * (gradient * x).sum((1, 2))
    difference = (function(x) - function(torch.zeros_like(x))).detach()
    assert (shares.sum(1) - difference).abs().max() < 1e-9
    return shares


def run_case(c, entry, stored):
    model = load(c, stored)
    targets = np.array(entry["targets"])
    b = int((targets != PAD).sum(0).argmax())
    steps = int((targets[:, b] != PAD).sum())
    source = torch.tensor(entry["source"])[:, b : b + 1]
    inputs, words = torch.tensor(entry["decoder_inputs"])[:steps, b], torch.tensor(targets[:steps, b])

    def forced(states, mask=None):
        return decode(model, states, inputs, mask).gather(1, words[:, None])[:, 0]

    def of_embedded(embedded):
        return forced(model.encoder(embedded)[0])

    embedded = model.source_embedding(source).detach()
    states = model.encoder(embedded)[0].detach()
    full = forced(states).detach()
    out = {"log_probabilities": full}

    leaf, free = embedded.clone().requires_grad_(), states.clone().requires_grad_()
    both, whole = unrolled(model, leaf)
    through, direct = forced(whole), forced(free)
    rows = {k: [] for k in ("gradient_input", "gradient_states", "embedding_norm", "forward_norm", "backward_norm")}
    for t in range(steps):
        grads = torch.autograd.grad(through[t], [leaf, *both[0], *both[1]], retain_graph=True)
        (read,) = torch.autograd.grad(direct[t], free, retain_graph=True)
        rows["gradient_input"].append((grads[0] * embedded).sum((1, 2)))
        rows["gradient_states"].append((read * states).sum((1, 2)))
        rows["embedding_norm"].append(grads[0].norm(dim=(1, 2)))
        rows["forward_norm"].append(torch.stack([g.norm() for g in grads[1 : c["S"] + 1]]))
        rows["backward_norm"].append(torch.stack([g.norm() for g in grads[c["S"] + 1 :]]))
    out.update({k: torch.stack(v) for k, v in rows.items()})
    out["integrated_gradients"] = integrated(of_embedded, embedded, steps)
    out["integrated_states"] = integrated(forced, states, steps)

    dropped, masked = [], []
    for j in range(c["S"]):
        kept = [i for i in range(c["S"]) if i != j]
        dropped.append(full - of_embedded(embedded[kept]).detach())
        mask = torch.ones(1, c["S"], dtype=torch.bool)
        mask[0, j] = False
        masked.append(full - forced(states, mask).detach())
    out["drop"] = torch.stack(dropped, 1)
    if c["score"] != "bottleneck":
        out["leave_one_out"] = torch.stack(masked, 1)
    result = {"name": c["name"], "sentence": b}
    result.update({k: [[float(f"{x:.9g}") for x in row] for row in np.atleast_2d(v.detach().numpy())] for k, v in out.items()})
    return result


def run_all():
    stored = load_file(HERE / "cases.safetensors")
    entries = {e["name"]: e for e in json.loads((HERE / "cases.json").read_text())["cases"]}
    chosen = [c for c in configurations() if c["tied"] and not c["masked"] and c["label_smoothing"] == 0 and not c["name"].endswith("nofeed")]
    assert len(chosen) == 4 * len(SCORES)
    return [run_case(c, entries[c["name"]], stored) for c in chosen]


def main():
    torch.set_num_threads(1)
    cases = run_all()
    path = HERE / "attribution.json"
    if "--check" in sys.argv[1:]:
        worst = 0.0
        for old, new in zip(json.loads(path.read_text())["cases"], cases, strict=True):
            assert old.keys() == new.keys()
            for key in set(new) - {"name", "sentence"}:
                worst = max(worst, float(np.abs(np.subtract(old[key], new[key])).max()))
        print(f"largest absolute difference from the stored numbers: {worst:.1e}")
        return
    lines = ",\n".join("  " + json.dumps(case) for case in cases)
    path.write_text(f'{{"torch": "{torch.__version__.split("+")[0]}", "points": {POINTS}, "cases": [\n{lines}\n]}}\n')
    print(len(cases), "cases")


if __name__ == "__main__":
    main()
