const LONGEST = 80;
/** What separates lines or words in any script. */
const SEPARATORS = /[\p{Cc}\p{Z}]+/gu;
/** Invisible: overrides of the direction, zero-width characters, private use, halves of pairs. Emoji and Persian need the joiners. */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cf}\p{Co}\p{Cs}\p{Cn}\u115F\u1160\u2800\u3164\uFFA0]/gu;
/** Dots, also those that browsers take for one, and the colon of a scheme, unless a space follows. */
const LINK_PARTS = /([.\u2024\u3002\uFE52\uFF0E\uFF61])(?=[^\s.])|(:)(?=[/\\])/gu;

/** What a block of a template can begin with, see `MailTemplates`. */
const BLOCK_MARKS = /^[\s\-[]+/u;

/**
 * A name that somebody else has chosen, as a few words within a sentence: on one line, of at most 80 characters, and nothing
 * that an email client would turn into a link: `evil.example` becomes `evil. example`.
 */
export function untrustedName(text: string): string {
  const line = text
    .slice(0, 2_000)
    .toWellFormed()
    .replace(SEPARATORS, ' ')
    .replace(INVISIBLE, '')
    .replace(LINK_PARTS, '$1$2 ')
    .replace(BLOCK_MARKS, '')
    .trim();
  const characters = [...line];
  if (characters.length > LONGEST)
    return `${characters
      .slice(0, LONGEST - 1)
      .join('')
      .trimEnd()}…`;
  return line || '-';
}
