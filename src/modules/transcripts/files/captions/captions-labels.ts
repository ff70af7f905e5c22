/** How Zoom and others name who speaks: a short name, a colon, a blank, the text. */
const LABEL = /^([^\s:<>][^:<>\r\n]{0,79}):\s+(?=\S)/u;

/** The label of a text without blanks at its ends, and the rest; null without one. Entities still stand in both. */
export function labelOf(text: string): { speaker: string; text: string } | null {
  const match = LABEL.exec(text);
  return match ? { speaker: match[1]!, text: text.slice(match[0].length) } : null;
}

/**
 * Whether what looks like labels of speakers is such: when at least half of the texts have one. "Note: this" in a file that names nobody is
 * a text.
 */
export function areLabelled(texts: readonly string[]): boolean {
  const labelled = texts.filter((text) => LABEL.test(text)).length;
  return labelled > 0 && labelled * 2 >= texts.length;
}
