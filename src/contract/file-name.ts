/** A readable file name derived from a title, valid on all systems. `extension` has no dot. */
export function fileNameOf(title: string, extension: string): string {
  const name = title
    .normalize('NFC')
    // Path separators, characters forbidden on Windows, control characters, and bidirectional control characters.
    .replace(/[\\/:*?"<>|\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = [...name].slice(0, 120).join('').trim();
  return `${short || 'recording'}.${extension}`;
}
