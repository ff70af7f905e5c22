/** The media will never play, so retrying is pointless. The message is for users. */
export class UnplayableMediaError extends Error {
  override readonly name = 'UnplayableMediaError';
}
