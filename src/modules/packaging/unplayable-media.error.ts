/** The media cannot be played, whoever tries: trying again is of no use. The message is for people. */
export class UnplayableMediaError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnplayableMediaError';
  }
}
