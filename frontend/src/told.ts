/** Says something in a status line for a moment. */
export interface Told {
  tell: (text: string) => void;
  quiet: () => void;
}

const MOMENT = 6000; // milliseconds

export function createTold(node: HTMLElement): Told {
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
      timer = setTimeout(quiet, MOMENT);
    },
  };
}
