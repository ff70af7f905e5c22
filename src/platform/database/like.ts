/** `%`, `_` and `\` are ordinary characters in a search. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
