/** Segments to show per recording. */
export const SEGMENTS_SHOWN = 3;
/** Best-matching chunks to search for them. */
export const CHUNKS_LOOKED_INTO = 3;
/** The same where only the segments of one speaker count: others may have said the words of the best ones. */
export const CHUNKS_OF_SPEAKER = 30;

/** Placeholders for marks, angle brackets and borders of words without spaces, between PostgreSQL and `toHtml`. */
export const MARK = {
  start: '\u0001',
  stop: '\u0002',
  less: '\u0003',
  greater: '\u0004',
  cut: '\u0005',
} as const;

/** Between two marks that touch, such as those of `EIP-7702`, which PostgreSQL reads as two words. */
const SEAM = `${MARK.stop}${MARK.start}`;

const HTML: Readonly<Record<string, string>> = {
  [MARK.start]: '<mark>',
  [MARK.stop]: '</mark>',
  [MARK.less]: '&lt;',
  [MARK.greater]: '&gt;',
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Each character once. */
const REPLACED = new RegExp(`[${Object.keys(HTML).join('')}]`, 'g');

/** HTML in which `mark` is the only element, whatever the text; a mark that was cut off is closed. */
export function toHtml(snippet: string): string {
  const isCut = snippet.lastIndexOf(MARK.start) > snippet.lastIndexOf(MARK.stop);
  const whole = (isCut ? snippet + MARK.stop : snippet).replaceAll(MARK.cut, '').replaceAll(SEAM, '');
  return whole.replace(REPLACED, (character) => HTML[character] ?? '');
}
