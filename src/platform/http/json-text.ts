/** A reply body that is JSON already; sent as it is. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly revision?: number,
  ) {}
}
