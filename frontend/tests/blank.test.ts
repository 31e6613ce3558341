// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { isBlank } from "../src/blank";
import { createEmpty } from "../src/empty";
import { pairOf } from "../src/question";
import { INITIAL, isAwaited } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import { syntheticModel } from "./fixtures/synthetic";

/** What the server drops or takes for space, and `trim` does not. */
const UNREAD = "\u200b\u00ad\u0085\u001c\u001d\u001e\u001f\ufeff";

it("a text of nothing that is read is blank, and invites as an empty one does", () => {
  for (const text of ["", " \n", UNREAD, null, ...Array.from(UNREAD)])
    expect(isBlank(text)).toBe(true);
  for (const text of ["a", `${UNREAD}.`, "\ufffd"]) expect(isBlank(text)).toBe(false);
  const root = document.createElement("section");
  const view = { ...DEFAULT_VIEW, text: UNREAD };
  const state = { ...INITIAL, model: syntheticModel(), view };
  createEmpty(root, { example: vi.fn() }).update(state);
  expect(root.hidden).toBe(false);
  expect(isAwaited(state)).toBe(false);
  expect(pairOf({ ...view, text: "he", compare: UNREAD }, "synthetic")).toBeNull();
});
