import type { FileHandle } from 'node:fs/promises';
import { boxes, bytes, type Box } from './mp4-boxes.js';
import { Mp4Claims } from './mp4-claims.js';

export interface Mp4Layout {
  /** There is a complete `moov` box. */
  readonly hasIndex: boolean;
  readonly fragmented: boolean;
  /** The last box extends past the end of the file. */
  readonly cut: boolean;
  readonly quickTime: boolean;
  readonly createdAt: Date | null;
  readonly encrypted: boolean;
}

const FIRST_BOXES = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'free', 'skip', 'wide', 'pnot']);
/** Track descriptions are small, but the tables of one track, which are not, may precede the next description. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const MAX_BOXES = 200_000;
/** Milliseconds from 1904, the epoch of MP4, to 1970. */
const EPOCH_1904 = Date.UTC(1904, 0);

/**
 * Walks the top-level boxes without reading media data; null if the file is not an MP4 or QuickTime file. Throws
 * `UnplayableMediaError` if the file claims more than `media-limits.ts` allows for its size.
 */
export async function readMp4Layout(file: FileHandle, size: number): Promise<Mp4Layout | null> {
  const layout = {
    hasIndex: false,
    fragmented: false,
    cut: false,
    quickTime: true,
    createdAt: null as Date | null,
    encrypted: false,
  };
  const claims = new Mp4Claims(file, size);
  let count = 0;
  for await (const box of boxes(file, 0, size)) {
    if (count === 0 && !FIRST_BOXES.has(box.type)) return null;
    if (++count > MAX_BOXES) break;
    layout.cut = box.end > size;
    if (box.type === 'ftyp') {
      layout.quickTime = (await bytes(file, box.bodyStart, 4)).toString('latin1') === 'qt  ';
    } else if (box.type === 'moof') {
      layout.fragmented = true;
      await claims.readFragment(box);
    } else if (box.type === 'moov' && !layout.cut) {
      layout.hasIndex = true;
      await claims.readIndex(box);
      layout.createdAt = await readCreationTime(file, box);
      layout.encrypted = await hasEncryptedTrack(file, box);
    }
  }
  claims.requireWithinLimits(layout.cut);
  return count === 0 ? null : layout;
}

async function readCreationTime(file: FileHandle, moov: Box): Promise<Date | null> {
  let count = 0;
  for await (const box of boxes(file, moov.bodyStart, moov.end)) {
    if (++count > 100) return null;
    if (box.type !== 'mvhd') continue;
    const body = await bytes(file, box.bodyStart, 12);
    if (body.length < 12) return null;
    const seconds = body[0] === 1 ? Number(body.readBigUInt64BE(4)) : body.readUInt32BE(4);
    return new Date(EPOCH_1904 + seconds * 1000);
  }
  return null;
}

/** Encrypted tracks are described as `encv` or `enca`, along with the scheme (`schm`). */
async function hasEncryptedTrack(file: FileHandle, moov: Box): Promise<boolean> {
  const index = await bytes(file, moov.bodyStart, Math.min(moov.end - moov.bodyStart, MAX_INDEX_BYTES));
  return (index.includes('encv') || index.includes('enca')) && index.includes('schm');
}
