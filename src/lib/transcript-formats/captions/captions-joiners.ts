/** WORD JOINER: has no width and is not whitespace. */
export const JOINER = '\u2060';

/** The beginnings of tags, entities, overrides, arrows, times and labels, and marks of another speaker. */
const MISREAD = /<(?=[a-z/\d])|&(?=#?\w+;)|\{(?=\\)|--(?=>)|:(?=\s)|>(?=>)|^\[(?=\d)/gi;
const JOINED = /([<&{:：>[(]|--)\u2060|^\u2060/g;

/** SRT has no escapes, so an invisible character breaks up what would be read as markup. */
export function withJoiners(text: string): string {
  return text.replace(MISREAD, `$&${JOINER}`);
}

export function withoutJoiners(text: string): string {
  return text.includes(JOINER) ? text.replace(JOINED, '$1') : text;
}
