/** How Zoom and others label speakers: a short name, a colon, a space, the text. */
const LABEL = /^([^\s:<>][^:<>\r\n]{0,79}):\s+(?=\S)/u;

/** Splits a trimmed text into label and rest; null without a label. Entities are not decoded yet. */
export function labelOf(text: string): { speaker: string; text: string } | null {
  const match = LABEL.exec(text);
  return match ? { speaker: match[1]!, text: text.slice(match[0].length) } : null;
}

/**
 * Whether the texts have speaker labels: at least half of them must look like it. A single "Note: this" in a file
 * without speakers is text.
 */
export function areLabelled(texts: readonly string[]): boolean {
  const labelled = texts.filter((text) => LABEL.test(text)).length;
  return labelled > 0 && labelled * 2 >= texts.length;
}
