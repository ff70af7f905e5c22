/** A reply body that is JSON already; sent as it is, with its revision as `ETag`. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly revision?: number,
  ) {}
}
