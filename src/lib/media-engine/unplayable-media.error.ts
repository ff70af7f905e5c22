/** The media will never play, so retrying is pointless. The message is for users. */
export class UnplayableMediaError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnplayableMediaError';
  }
}
