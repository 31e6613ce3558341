import type { Example } from "./types";

/** Examples under what they show, in the order of the model. */
export interface ExampleGroup {
  name: string;
  examples: Example[];
}

export function exampleGroups(examples: readonly Example[]): ExampleGroup[] {
  const groups = new Map<string, Example[]>();
  for (const example of examples) {
    const name = example.group ?? "";
    groups.set(name, [...(groups.get(name) ?? []), example]);
  }
  return [...groups].map(([name, list]) => ({ name, examples: list }));
}
