/** A file name made of a title: readable, valid everywhere. `extension` without the dot. */
export function fileNameOf(title: string, extension: string): string {
  const name = title
    .normalize('NFC')
    // Separators, what Windows forbids, control characters, and marks that turn the reading direction around.
    .replace(/[\\/:*?"<>|\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = [...name].slice(0, 120).join('').trim();
  return `${short || 'recording'}.${extension}`;
}
