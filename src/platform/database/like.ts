/** A part of a name, as names are kept (NFC); `%`, `_` and `\` are ordinary characters in a search. */
export const escapeLike = (text: string): string => text.normalize('NFC').replace(/[\\%_]/g, '\\$&');
