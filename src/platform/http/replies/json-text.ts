/**
 * A reply body that is already JSON, in consecutive parts; sent unchanged, with its revision as the `ETag`. In parts,
 * so that a long text is copied only once, into the output buffer.
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
