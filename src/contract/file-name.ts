/**
 * A readable file name derived from a title, valid on all systems. `extension` has no dot; it is not repeated if the
 * title already ends with it or with one of its `synonyms`.
 */
export function fileNameOf(title: string, extension: string, synonyms: readonly string[] = []): string {
  const name = title
    .normalize('NFC')
    // Path separators, characters forbidden on Windows, control characters, and bidirectional control characters.
    .replace(/[\\/:*?"<>|\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const ending = [extension, ...synonyms].find((known) => name.toLowerCase().endsWith(`.${known}`));
  const stem = ending === undefined ? name : name.slice(0, -ending.length - 1);
  const short = [...stem].slice(0, 120).join('').trim();
  return `${short || 'recording'}.${ending ?? extension}`;
}
