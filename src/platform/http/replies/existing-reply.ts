/** The envelope of what a creating operation found to exist already: sent with status 200 and without a `Location`. */
export class ExistingReply<T> {
  constructor(readonly data: T) {}
}
