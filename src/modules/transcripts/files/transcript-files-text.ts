/**
 * Normalizes a text to what every writer can write: lines end in `\n`, none is blank, and the text is trimmed.
 */
export function normalizeText(text: string): string {
  if (!/[\r\n]/.test(text)) return text.trim();
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .join('\n')
    .trim();
}

/** A speaker label is one line, with single spaces. */
export function normalizeSpeaker(speaker: string): string {
  return speaker.replace(/\s+/g, ' ').trim();
}

/** Makes text storable: NUL characters and lone surrogates become U+FFFD. */
export function repaired(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
