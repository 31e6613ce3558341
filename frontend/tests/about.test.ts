import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PAPER, rows } from "../src/about";
import { syntheticModel } from "./fixtures/synthetic";

const MODEL = syntheticModel();

const terms = (told: [string, string][]) => Object.fromEntries(told);

it("tells a model by what it is made of, how good it is, and its fingerprint", () => {
  const told = terms(
    rows({
      ...MODEL,
      architecture: {
        vocabulary: 14590,
        cell_name: "LSTM",
        layers: 2,
        units: [300, 200],
        tied: true,
        bidirectional: true,
      },
      perplexity: { valid: 129.2, test: 129.45 },
    }),
  );
  expect(told.network).toBe(
    "bidirectional LSTM, 2 layers of 300 and 200 units, decoder tied to the embedding",
  );
  expect(told.vocabulary).toBe("14,590 words");
  expect(told.perplexity).toBe("129 on held-out test text");
  expect(told.says).toBe("the next word, at each timestep");
  expect(told.fingerprint).toBe(MODEL.fingerprint);
  const more = terms(rows({ ...MODEL, network_fingerprint: "8b0de208a78e4f82" }));
  expect(more["of the network"]).toBe("8b0de208a78e4f82");
  expect(told.page).toMatch(/^Unrolled \d+\.\d+\.\d+, MIT licence$/);
  expect(told.accuracy).toBeUndefined();
});

it("names the paper as CITATION.cff does", () => {
  const cited = readFileSync(new URL("../../CITATION.cff", import.meta.url), "utf-8");
  for (const name of PAPER.authors.split(", ")) expect(cited).toContain(`family-names: ${name}\n`);
  expect(cited).toContain(`title: ${PAPER.title}\n`);
  expect(cited).toContain(`year: ${PAPER.year}\n`);
  expect(cited).toContain(`arXiv.${PAPER.address.split("/").at(-1)}`);
});

it("says that a model is not measured, and leaves out what an old file does not tell", () => {
  const old = { ...MODEL };
  delete old.architecture;
  delete old.perplexity;
  const told = terms(rows(old));
  expect(told.perplexity).toBe("not measured");
  expect(told.network).toBeUndefined();
});

it("says what reads the hidden states, and of weights from elsewhere no more than is known", () => {
  const forms = { next: "shared", this: "shared" } as const;
  const told = terms(rows({ ...MODEL, forms, imported: true, perplexity: { test: 97 } }));
  expect(told["hidden states"]).toBe("each read by an affine map into the network's own decoder");
  expect(told.perplexity).toBe(
    "97 on test lines, held out only if the network was not trained on them",
  );
  const mixed = terms(rows({ ...MODEL, forms: { ...forms, next: "linear" } }));
  expect(mixed["hidden states"]).toMatch(/^each read by a linear classifier or each read by an/);
});

it("tells labels by their accuracy", () => {
  const told = terms(rows({ ...MODEL, task: "tagging", accuracy: { test: 0.962 } }));
  expect(told.says).toBe("a label for each word");
  expect(told.accuracy).toBe("96 % on held-out test text");
});
