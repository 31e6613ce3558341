import { describe, expect, it } from "vitest";
import { formOf } from "../src/inside/rows";

/** Equations as the API gives them, of the cell types that there are. */
const FORMS = {
  "f_t^u = σ(W_f^u [h_t^{u−1}, h_{t−1}^u] + b_f^u)": "weighted",
  "h̃_t^u = tanh(W_h^u h_t^{u−1} + b_h^u + r_t^u ∘ (V_h^u h_{t−1}^u + d_h^u))": "weighted",
  "a_t^u = W^u [h_t^{u−1}, h_{t−1}^u] + b^u": "weighted",
  "h_t^u = P^u m_t^u": "weighted",
  "f⃖_t^u = σ(W⃖_f^u [h⃗_t^{u−1}, h⃖_t^{u−1}, h⃖_{t+1}^u] + b⃖_f^u)": "weighted",
  "c_t^u = l_t^u + s_t^u": "sum",
  "l_t^u = f_t^u ∘ c_{t−1}^u": "product",
  "h_t^u = o_t^u ∘ tanh(c_t^u)": "product",
  "i_t^u = 1 − f_t^u": "unit by unit",
  "h_t^u = tanh(a_t^u)": "unit by unit",
  "h_t^u = (1 − z_t^u) ∘ h̃_t^u + z_t^u ∘ h_{t−1}^u": "unit by unit",
};

describe("how an equation joins its operands", () => {
  it.each(Object.entries(FORMS))("%s: %s", (equation, form) =>
    expect(formOf({ kind: "a", equation })).toBe(form),
  );
  it("is told by the kind where nothing is computed, or the vector is another's", () => {
    expect(formOf({ kind: "embedding", equation: "x_t = E[w_t]" })).toBe("looked up");
    expect(formOf({ kind: "output", equation: "y_t = softmax(D h_t^U + b)" })).toBe("output");
  });
});
