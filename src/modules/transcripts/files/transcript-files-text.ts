/**
 * What every reader makes of a text, and every writer can write: lines end in `\n`, none is blank, nothing blank at either end.
 */
export function tidyText(text: string): string {
  if (!/[\r\n]/.test(text)) return text.trim();
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .join('\n')
    .trim();
}

/** A speaker label is one line, with single blanks. */
export function tidySpeaker(speaker: string): string {
  return speaker.replace(/\s+/g, ' ').trim();
}

/** Text that can be stored: NUL characters and halves of surrogate pairs become U+FFFD. */
export function repaired(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
