"""One LSTM layer over one sentence, compiled: `lstm.lstm_states` for what somebody types, where the
calls to a library cost more than the arithmetic. Layers may be computed by several threads, each a
little behind the one before it.

T timesteps, E inputs, H units, W of the widest kind.
"""

from __future__ import annotations

from models.compiling import AS_WRITTEN, compiled, loop
from models.compiling.elementary import of_half, sigmoid, tanh, widen
from models.compiling.waiting import tell, told

AT_ONCE = 8  # inputs: each run through the sums takes in so many
STEPS = 32  # timesteps whose sums are held at once: × 1,200 × 4 bytes is 150 kB

_AHEAD = 3  # timesteps at least that a layer waits for: its weights are read once for them


@loop()
def _copied(x, out):
    for i in range(len(x)):
        out[i] = x[i]


@loop(AS_WRITTEN)
def _added(w, x, out):
    """out += x · w, for AT_ONCE inputs."""
    w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
    x0, x1, x2, x3, x4, x5, x6, x7 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
    for j in range(len(out)):
        some = (w0[j] * x0 + w1[j] * x1) + (w2[j] * x2 + w3[j] * x3)
        out[j] += some + ((w4[j] * x4 + w5[j] * x5) + (w6[j] * x6 + w7[j] * x7))


@loop(AS_WRITTEN)
def _added_halves(w, x, out):
    """`_added`, of weights in half precision."""
    w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
    x0, x1, x2, x3, x4, x5, x6, x7 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
    for j in range(len(out)):
        some = of_half(w0[j]) * x0 + of_half(w1[j]) * x1 + of_half(w2[j]) * x2
        more = of_half(w3[j]) * x3 + of_half(w4[j]) * x4 + of_half(w5[j]) * x5
        out[j] += some + more + (of_half(w6[j]) * x6 + of_half(w7[j]) * x7)


@loop(AS_WRITTEN)
def _gates(x, out):
    for u in range(len(out)):
        out[u] = sigmoid(x[u])


@loop(AS_WRITTEN)
def _cell_inputs(x, out):
    for u in range(len(out)):
        out[u] = tanh(x[u])


@loop()  # nothing contracted: what is shown adds up
def _memories(f, c, i, g, long_term, short_term, cell):
    for u in range(len(cell)):
        long_term[u] = f[u] * c[u]
        short_term[u] = i[u] * g[u]
        cell[u] = long_term[u] + short_term[u]


@loop(AS_WRITTEN)
def _outputs(o, c, out):
    for u in range(len(out)):
        out[u] = o[u] * tanh(c[u])


@compiled(
    "void(int64, uint16[:,::1], uint16[:,::1], float32[::1], float32[:,:], int64[::1],"
    "int64[::1], float32[:,::1], float32[::1], float32[::1], float32[:,:,::1], float32[:,::1],"
    "float32[:,::1])",
)
def layer_states(
    begin,  # S timesteps are there already
    below,  # (E′, 4H) input weights, transposed: the bits of halves; E′ a multiple of AT_ONCE
    recurrent,  # (H′, 4H) likewise
    bias,  # (4H,) both biases
    source,  # (S + T, E) what is read; another thread may still write it
    known,  # `progress` of who writes it, in timesteps after the first S
    done,  # and of this layer
    inputs,  # (T, E′) a place for it, filled up with zeros
    h,  # (H′,) the output state before, zeros after H; written
    c,  # (H,) the cell state before
    out,  # (8, S + T, W) every kind, in the order of the table; written up to H
    read,  # (STEPS, 4H) scratch
    wide,  # (AT_ONCE, 4H) scratch
):
    """Every kind of state of the layer, timestep by timestep as the layer before has them."""
    units, steps = len(c), len(inputs)
    first = 0
    while first < steps:
        there = told(known.ctypes.data, min(first + _AHEAD, steps))
        some = min(STEPS, there - first)
        for t in range(some):
            _copied(bias, read[t])
            _copied(source[begin + first + t], inputs[first + t])
        # Inputs are known beforehand: each weight is widened once for many timesteps.
        for k in range(0, len(below), AT_ONCE):
            for i in range(AT_ONCE):
                widen(below[k + i], wide[i])
            for t in range(some):
                _added(wide, inputs[first + t, k : k + AT_ONCE], read[t])
        for at in range(first, first + some):
            gates, t = read[at - first], begin + at
            for k in range(0, len(recurrent), AT_ONCE):
                _added_halves(recurrent[k : k + AT_ONCE], h[k : k + AT_ONCE], gates)
            f, i, g, o = out[0, t, :units], out[1, t, :units], out[2, t, :units], out[3, t, :units]
            _gates(gates[:units], i)
            _gates(gates[units : 2 * units], f)
            _cell_inputs(gates[2 * units : 3 * units], g)
            _gates(gates[3 * units :], o)
            cell = out[6, t, :units]
            _memories(f, c, i, g, out[4, t, :units], out[5, t, :units], cell)
            _outputs(o, cell, out[7, t, :units])
            _copied(out[7, t, :units], h)
            c = cell
            tell(done.ctypes.data, at + 1)
        first += some
