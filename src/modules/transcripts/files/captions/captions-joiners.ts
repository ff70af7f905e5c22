/** WORD JOINER: has no width and is no blank. */
const JOINER = '\u2060';

/** Beginnings of tags, entities, overrides, arrows and labels. */
const MISREAD = /<(?=[a-z/\d])|&(?=#?\w+;)|\{(?=\\)|--(?=>)|:(?=\s)/gi;
const JOINED = /([<&{:]|--)\u2060/g;

/** SRT knows no escapes: a character that nobody sees keeps apart what would be read as something else than text. */
export function withJoiners(text: string): string {
  return text.replace(MISREAD, `$&${JOINER}`);
}

export function withoutJoiners(text: string): string {
  return text.includes(JOINER) ? text.replace(JOINED, '$1') : text;
}
