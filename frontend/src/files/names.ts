/** unrolled-<first words>.<extension>: what a file manager, a shell and a mail all bear. */
export function fileName(text: string, extension: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const name = (words ?? []).slice(0, 5).join("-");
  return `unrolled-${Array.from(name).slice(0, 40).join("").replace(/-$/, "") || "text"}.${extension}`;
}
