import { el } from "../dom";

/** A label with its control, and a box to tick. */

export const field = (label: string, control: HTMLElement): HTMLLabelElement =>
  el("label", {}, el("span", {}, label), control);

export interface Check {
  box: HTMLInputElement;
  node: HTMLLabelElement;
}

export function check(label: string, value = ""): Check {
  const box = el("input", { type: "checkbox", value });
  return { box, node: el("label", { class: "check" }, box, el("span", {}, label)) };
}
