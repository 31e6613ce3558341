/** What the text boxes have in common: as tall as their text, and whole words of an input method. */

/** From this many characters on the text is set smaller: the grid must stay in sight. */
const LONG = 180;

export interface Area {
  /** Shows a text, unless it is there, or a word is half typed. */
  show(text: string): void;
}

export function createArea(box: HTMLTextAreaElement, typed: (text: string) => void): Area {
  let composing = false;
  /** Whether it is as tall as its text: what is hidden has no height. */
  let grown = false;
  const emit = () => {
    grow();
    // Half a character of an input method is not a text yet.
    if (!composing) typed(box.value);
  };
  /** As tall as its text: `field-sizing` does it in newer browsers, this in the others. */
  function grow(): void {
    box.classList.toggle("long", box.value.length > LONG);
    box.style.height = "auto";
    grown = box.scrollHeight > 0;
    if (grown) box.style.height = `${box.scrollHeight}px`;
    // Paper shows this instead: a box there has the height of another width and letter.
    if (box.parentElement) box.parentElement.dataset.text = box.value;
  }
  box.addEventListener("input", emit);
  box.addEventListener("compositionstart", () => (composing = true));
  box.addEventListener("compositionend", () => {
    composing = false;
    emit();
  });
  window.addEventListener("resize", grow);

  return {
    show(text) {
      if (composing || (grown && box.value === text)) return;
      if (box.value !== text) box.value = text;
      grow();
    },
  };
}
