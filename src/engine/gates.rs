//! One row of a cell: the equations of `cell.rs` elementwise, forward and backward.

use crate::numeric::{sigmoid_in_place, tanh_in_place, wide};

/// GRU forward: `gates` holds `a` and becomes `r, z, n`; `inner` becomes `g_n`; all `[D]` or `[3D]`.
pub(super) fn gru_row(
    gates: &mut [f32],
    g: &[f32],
    inner: &mut [f32],
    h: &[f32],
    out: &mut [f32],
    d: usize,
) {
    inner.copy_from_slice(&g[2 * d..]);
    let (rz, n) = gates.split_at_mut(2 * d);
    wide(|| rz.iter_mut().zip(g).for_each(|(a, g)| *a += g));
    sigmoid_in_place(rz);
    wide(|| {
        n.iter_mut()
            .zip(&rz[..d])
            .zip(&*inner)
            .for_each(|((n, r), g)| *n += r * g)
    });
    tanh_in_place(n);
    wide(|| {
        out.iter_mut()
            .zip(&*n)
            .zip(&rz[d..])
            .zip(h)
            .for_each(|(((o, n), z), h)| *o = n + z * (h - n))
    });
}

/// GRU backward: `d_hidden` is the gradient of `h'` and becomes what passes `z` to `h` directly.
pub(super) fn gru_row_backward(
    gates: &[f32],
    inner: &[f32],
    h: &[f32],
    d_hidden: &mut [f32],
    d_input: &mut [f32],
    d_recurrent: &mut [f32],
    d: usize,
) {
    let (r, z, n) = (&gates[..d], &gates[d..2 * d], &gates[2 * d..3 * d]);
    let (inner, h, d_hidden) = (&inner[..d], &h[..d], &mut d_hidden[..d]);
    let (d_r, rest) = d_input.split_at_mut(d);
    let (d_z, d_n) = rest.split_at_mut(d);
    let (d_r, d_z, d_n) = (&mut d_r[..d], &mut d_z[..d], &mut d_n[..d]);
    let d_gn = &mut d_recurrent[2 * d..3 * d];
    wide(|| {
        for i in 0..d {
            let dh = d_hidden[i];
            let d_pre_n = dh * (1.0 - z[i]) * (1.0 - n[i] * n[i]);
            d_n[i] = d_pre_n;
            d_gn[i] = d_pre_n * r[i];
            d_r[i] = d_pre_n * inner[i] * r[i] * (1.0 - r[i]);
            d_z[i] = dh * (h[i] - n[i]) * z[i] * (1.0 - z[i]);
            d_hidden[i] = dh * z[i];
        }
    });
    d_recurrent[..2 * d].copy_from_slice(&d_input[..2 * d]);
}

/// LSTM forward: `gates` holds `a` and becomes `i, f, u, o`; `inner` becomes `tanh(m')`.
pub(super) fn lstm_row(
    gates: &mut [f32],
    g: &[f32],
    m: &[f32],
    m_out: &mut [f32],
    inner: &mut [f32],
    out: &mut [f32],
    d: usize,
) {
    wide(|| gates.iter_mut().zip(g).for_each(|(a, g)| *a += g));
    sigmoid_in_place(&mut gates[..2 * d]);
    tanh_in_place(&mut gates[2 * d..3 * d]);
    sigmoid_in_place(&mut gates[3 * d..]);
    let (i, f, u, o) = (
        &gates[..d],
        &gates[d..2 * d],
        &gates[2 * d..3 * d],
        &gates[3 * d..],
    );
    for k in 0..d {
        m_out[k] = f[k] * m[k] + i[k] * u[k];
    }
    inner.copy_from_slice(m_out);
    tanh_in_place(inner);
    for k in 0..d {
        out[k] = o[k] * inner[k];
    }
}

/// LSTM backward: `d_memory` is the gradient of `m'` and becomes that of `m`.
pub(super) fn lstm_row_backward(
    gates: &[f32],
    inner: &[f32],
    m: &[f32],
    d_hidden: &mut [f32],
    d_memory: &mut [f32],
    d_input: &mut [f32],
    d: usize,
) {
    let (i, f, u, o) = (
        &gates[..d],
        &gates[d..2 * d],
        &gates[2 * d..3 * d],
        &gates[3 * d..],
    );
    for k in 0..d {
        let dh = d_hidden[k];
        let dm = d_memory[k] + dh * o[k] * (1.0 - inner[k] * inner[k]);
        d_input[k] = dm * u[k] * i[k] * (1.0 - i[k]);
        d_input[d + k] = dm * m[k] * f[k] * (1.0 - f[k]);
        d_input[2 * d + k] = dm * i[k] * (1.0 - u[k] * u[k]);
        d_input[3 * d + k] = dh * inner[k] * o[k] * (1.0 - o[k]);
        d_memory[k] = dm * f[k];
        // All of the state's gradient passed through the gates; the product with w_h adds what comes back.
        d_hidden[k] = 0.0;
    }
}
