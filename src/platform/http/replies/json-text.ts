/** Between two lists that are sent as one; JSON never contains this character unescaped. */
export const LIST_SEAM = '\u0001';

const SEAM_BYTE = 1;
const COMMA = 44;

/**
 * A reply body that is already JSON, in consecutive parts; sent unchanged but for the seams between lists, with its
 * revision as the `ETag`. In parts, so that a long text is copied only once, into the output buffer.
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
    return withoutSeams(bytes);
  }
}

/** Each seam, with the brackets around it, becomes a comma: faster in the bytes than in a long text. */
function withoutSeams(bytes: Buffer): Buffer {
  let seam = bytes.indexOf(SEAM_BYTE);
  if (seam === -1) return bytes;
  let length = seam - 1;
  while (seam !== -1) {
    const next = bytes.indexOf(SEAM_BYTE, seam + 1);
    const [from, to] = [seam + 2, next === -1 ? bytes.length : next - 1];
    bytes[length] = COMMA;
    bytes.copyWithin(length + 1, from, to);
    length += 1 + to - from;
    seam = next;
  }
  return bytes.subarray(0, length);
}
