/** `recording_locked`: `RecordingLocked`. */
type Joined<Code extends string> = Code extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Joined<Rest>}`
  : Capitalize<Code>;

/** The name of the error with a code: `RECORDING_LOCKED` is a `RecordingLockedError`. */
export type ErrorName<Code extends string> =
  `${Joined<Lowercase<Code extends `${infer Kind}_ERROR` ? Kind : Code>>}Error`;

/** Not the name of the class, which minifiers change. */
export function nameOf(code: string): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('')}Error`;
}
