/** Words, a phrase, the beginning of a word, or an identifier such as `EIP-7702`. */
export interface SearchUnit {
  readonly kind: 'words' | 'phrase' | 'prefix' | 'identifier';
  /**
   * What was typed, without quotes, minus and asterisk; for a prefix, letters and digits only; for an identifier, `EIP
   * 7702`.
   */
  readonly text: string;
  /** Whether recordings that contain it are excluded. */
  readonly excluded: boolean;
  /** Whether a recording matches without it, and only ranks higher with it. */
  readonly optional?: true;
  /** Whether it is dropped if the query has other words. */
  readonly stop?: true;
}

/** Whether it is words that have to occur. */
export const isPlain = (unit: SearchUnit | undefined): unit is SearchUnit =>
  unit?.kind === 'words' && !unit.excluded && !unit.optional;
