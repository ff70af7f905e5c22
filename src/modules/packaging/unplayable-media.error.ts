/** The media cannot be played by anyone, so another attempt is of no use. The message is for users. */
export class UnplayableMediaError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnplayableMediaError';
  }
}
