/** Bytes from which the type of any file can be detected, unless it begins with zeros. */
export const HEAD_SIZE = 4_100;

/** What a text is, by how it begins; the first that matches. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^WEBVTT\b/, 'text/vtt'],
  [/^\d+\s*\n\d+:\d\d:\d\d[,.]\d{3} --> /, 'application/x-subrip'],
  [/^\[Script Info\]/i, 'text/x-ssa'],
  [/^<[^]*<svg\b|^<svg\b/i, 'image/svg+xml'],
  [/^<[^]*<html\b|^<(!doctype )?html\b/i, 'text/html'],
  [/^<\?xml/i, 'application/xml'],
  [/^[{[]\s*["{[\]}\d-]/, 'application/json'],
];

/** Characters that no text contains. */
// oxlint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** The media type of the text that begins with these bytes; null if they are not text. */
export function textTypeOf(head: Uint8Array): string | null {
  const text = decoded(head)?.replaceAll('\r\n', '\n').trimStart();
  if (!text || BINARY.test(text)) return null;
  return BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1] ?? 'text/plain';
}

/** Undefined if the bytes are neither UTF-8 nor UTF-16 with its byte order mark. */
function decoded(head: Uint8Array): string | undefined {
  try {
    // The last character may be incomplete.
    return new TextDecoder(markedEncoding(head) ?? 'utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
}

/** The encoding that a byte order mark indicates; null without one. */
export function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}
