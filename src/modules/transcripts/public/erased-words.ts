/** What becomes of the segments of somebody who is erased. */
export const ERASED_WORDS = ['replace', 'remove'] as const;
export type ErasedWords = (typeof ERASED_WORDS)[number];
