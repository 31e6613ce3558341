/** Says something in a status line for a moment. */
export interface Told {
  tell: (text: string) => void;
  quiet: () => void;
}

/** @param ms - how long it stands there. */
export function createTold(node: HTMLElement, ms = 6000): Told {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const quiet = () => {
    clearTimeout(timer);
    node.replaceChildren();
  };
  return {
    quiet,
    tell(text) {
      quiet();
      node.replaceChildren(text);
      timer = setTimeout(quiet, ms);
    },
  };
}
