export interface MatroskaHeader {
  /** `webm` or `matroska`. */
  readonly docType: string;
  readonly createdAt: Date | null;
}

const EBML = 0x1a45dfa3;
const DOC_TYPE = 0x4282;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const INFO = 0x1549a966;
const DATE_UTC = 0x4461;
/** Milliseconds from 1970 to 2001, the epoch of Matroska. */
const EPOCH_2001 = Date.UTC(2001, 0);

/** Reads the type and date from the first bytes of a file; null if it is not a Matroska or WebM file. */
export function matroskaHeader(data: Buffer): MatroskaHeader | null {
  let docType: string | null = null;
  for (const element of elements(data)) {
    if (element.id === EBML) {
      const type = [...elements(element.body)].find(({ id }) => id === DOC_TYPE);
      docType = type ? type.body.toString('latin1').replace(/\0+$/, '') : 'matroska';
    } else if (docType === null) {
      return null;
    } else if (element.id === SEGMENT) {
      return { docType, createdAt: dateOf(element.body) };
    }
  }
  return docType === null ? null : { docType, createdAt: null };
}

function dateOf(segment: Buffer): Date | null {
  for (const { id, body } of elements(segment)) {
    if (id === CLUSTER) return null;
    if (id !== INFO) continue;
    const date = [...elements(body)].find((element) => element.id === DATE_UTC);
    if (date?.body.length !== 8) return null;
    return new Date(EPOCH_2001 + Number(date.body.readBigInt64BE(0) / 1_000_000n));
  }
  return null;
}

/** Elements in order; the last one may extend past the data, or be of unknown length. */
function* elements(data: Buffer): Generator<{ id: number; body: Buffer }> {
  let position = 0;
  while (position < data.length) {
    const idLength = Math.clz32(data[position] ?? 0) - 23;
    if (idLength > 4 || position + idLength >= data.length) return;
    const id = data.readUIntBE(position, idLength);
    position += idLength;

    const sizeLength = Math.clz32(data[position] ?? 0) - 23;
    if (sizeLength > 8 || position + sizeLength > data.length) return;
    let size = BigInt(data[position] ?? 0) & ((1n << BigInt(8 - sizeLength)) - 1n);
    for (let i = 1; i < sizeLength; i++) size = size * 256n + BigInt(data[position + i] ?? 0);
    position += sizeLength;

    const unknown = size === (1n << BigInt(7 * sizeLength)) - 1n;
    const end = unknown ? data.length : Math.min(data.length, position + Number(size));
    yield { id, body: data.subarray(position, end) };
    position = end;
  }
}
