/** `%`, `_` and `\` are ordinary characters in a search. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
