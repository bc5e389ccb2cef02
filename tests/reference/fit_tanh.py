"""The coefficients of `src/numeric/activation.rs`: `tanh(x) = x P(x²) / Q(x²)`, relative error as small as it gets.

Least squares, linear in the coefficients when the error is multiplied by Q; the points are weighted anew by their error
until it is level (Lawson's iteration), and Q is that of the round before. `python fit_tanh.py`, needs numpy.
"""

import numpy as np

DEGREE, END, POINTS, ROUNDS = 4, 9.02, 4000, 200


def polynomial(terms, u):
    return 1 + sum(term * u ** (i + 1) for i, term in enumerate(terms))


def main():
    # Denser at both ends, where such errors are largest.
    angle = np.pi * (np.arange(POINTS) + 0.5) / POINTS
    x = np.maximum(END / 2 * (1 - np.cos(angle)), 1e-3)
    u, wanted = (x / END) ** 2, np.tanh(x) / x
    powers = np.stack([u ** (i + 1) for i in range(DEGREE)], 1)
    columns = np.concatenate([powers, -wanted[:, None] * powers], 1)
    weights, q, best = np.ones_like(x), np.ones_like(x), (np.inf, None)
    for _ in range(ROUNDS):
        scale = weights / (wanted * q)
        found = np.linalg.lstsq(columns * scale[:, None], (wanted - 1) * scale, rcond=None)[0]
        p, q = polynomial(found[:DEGREE], u), polynomial(found[DEGREE:], u)
        error = np.abs(p / q / wanted - 1)
        best = min(best, (error.max(), tuple(found)))
        weights = weights * np.sqrt(error / error.max() + 0.02)
        weights /= weights.max()
    error, found = best
    scaled = [[float(term / END ** (2 * i + 2)) for i, term in enumerate(part)] for part in (found[:DEGREE], found[DEGREE:])]
    print(f"largest relative error {error:.2e}")
    for name, terms in zip("PQ", scaled):
        print(name, ", ".join(f"{term:.7e}" for term in terms))


if __name__ == "__main__":
    main()
