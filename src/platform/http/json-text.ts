/**
 * A reply body that is JSON already, in parts that follow one another; sent as it is, with its revision as `ETag`. Parts,
 * so that a long text is copied once, into what is sent.
 */
export class JsonText {
  constructor(
    readonly parts: readonly string[],
    readonly revision?: number,
  ) {}

  toBytes(): Buffer {
    const length = this.parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    const bytes = Buffer.allocUnsafe(length);
    let at = 0;
    for (const part of this.parts) at += bytes.write(part, at);
    return bytes;
  }
}
