/** The named ones that WebVTT knows, and those that HTML editors write. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp|lrm|rlm)|#(\d{1,8})|#[xX]([\da-fA-F]{1,8}));/g;

/** Replaces character references once: `&amp;lt;` becomes `&lt;`. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (_, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return NAMED[name]!;
    return characterOf(decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal));
  });
}

/** As in HTML: what is no character becomes U+FFFD. */
function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text as WebVTT has it within a cue; an arrow cannot stand in it. */
export function withEntities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character]!);
}
