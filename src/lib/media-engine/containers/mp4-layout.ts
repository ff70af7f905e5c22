import type { FileHandle } from 'node:fs/promises';
import { bytes, occurrences, type ByteRange, type Mark } from './byte-range.js';
import { boxes, type Box } from './mp4-boxes.js';
import { Mp4Index } from './mp4-index.js';

export interface Mp4Layout {
  readonly range: ByteRange;
  /** There is a complete `moov` box. */
  readonly hasIndex: boolean;
  readonly fragmented: boolean;
  /** The last box extends past the end. */
  readonly cut: boolean;
  readonly quickTime: boolean;
  readonly encrypted: boolean;
}

const FIRST_BOXES = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'free', 'skip', 'wide', 'pnot']);
const MEDIA_BOXES = new Set(['moov', 'mdat', 'moof']);
const OTHER_BOXES = ['sidx', 'emsg', 'uuid', 'pdin', 'meta', 'mfra', 'udta', 'prft', 'ssix'];
const KNOWN_BOXES = new Set([...FIRST_BOXES, ...OTHER_BOXES]);
/** Types of encrypted tracks, in their descriptions. */
const ENCRYPTED = /enc[va]/;
/** The box with which another file begins. */
const FTYP: Mark = { mark: Buffer.from('ftyp'), offset: 4, matches: isFileType };
const MAX_FTYP_BYTES = 512;
const MAX_BOXES = 200_000;

/**
 * Walks the top-level boxes without reading media data. One layout, or several where files have been joined end to end;
 * null if the file is not an MP4 or QuickTime file. Throws `UnplayableMediaError` if it claims more than
 * `media-limits.ts` allows for its size.
 */
export async function readMp4Layouts(file: FileHandle, size: number): Promise<readonly Mp4Layout[] | null> {
  const layouts: Mp4Layout[] = [];
  for (let start = 0; start < size;) {
    const layout = await readLayout(file, start, size);
    if (!layout) break;
    layouts.push(layout);
    start = layout.range.end;
  }
  return layouts.length > 0 ? layouts : null;
}

async function readLayout(file: FileHandle, start: number, size: number): Promise<Mp4Layout | null> {
  const layout = { hasIndex: false, fragmented: false, cut: false, quickTime: true, encrypted: false };
  const index = new Mp4Index(file, size);
  let count = 0;
  let hasMedia = false;
  let known: Box | null = null;
  /** Where the next file begins; undefined until it has been searched for. */
  let next: number | null | undefined;
  // A box that was cut off claims bytes of the file that follows it.
  const search = async ({ bodyStart }: Box): Promise<number | null> => {
    for await (const { position } of occurrences(file, { start: bodyStart, end: size }, FTYP))
      return position;
    return null;
  };
  let end = start;
  for await (const box of boxes(file, start, size)) {
    if (count === 0 && !FIRST_BOXES.has(box.type)) return null;
    if (++count > MAX_BOXES) break;
    if (box.type === 'ftyp' && hasMedia) {
      next = box.start;
      break;
    }
    if (known && next === undefined && !KNOWN_BOXES.has(box.type)) next = await search(known);
    if (typeof next === 'number') break;
    if (KNOWN_BOXES.has(box.type)) known = box;
    end = box.end;
    layout.cut = box.end > size;
    hasMedia ||= MEDIA_BOXES.has(box.type);
    if (box.type === 'ftyp') {
      layout.quickTime = (await bytes(file, box.bodyStart, 4)).toString('latin1') === 'qt  ';
    } else if (box.type === 'moof') {
      layout.fragmented = true;
      await index.readFragment(box);
    } else if (box.type === 'moov' && !layout.cut) {
      layout.hasIndex = true;
      await index.read(box);
      layout.encrypted = index.tracks.some(({ description }) =>
        ENCRYPTED.test(description.toString('latin1')),
      );
    }
  }
  if (!known) return null;
  if (next === undefined && end !== size && count <= MAX_BOXES) next = await search(known);
  layout.cut ||= typeof next === 'number' && end !== next;
  const range = { start, end: next ?? size };
  index.requireWithinLimits(layout.cut, range.end - range.start);
  return { range, ...layout };
}

/** Whether the brands of a file are here, and another box follows them. */
function isFileType(head: Buffer): boolean {
  const length = head.length >= 16 ? head.readUInt32BE(0) : 0;
  if (length < 16 || length > MAX_FTYP_BYTES || length % 4 !== 0) return false;
  const brand = head.toString('latin1', 8, 12);
  const next = head.toString('latin1', length + 4, length + 8);
  return (
    /^[\x20-\x7e]{4}$/.test(brand) &&
    /^(?:moov|mdat|moof|styp|sidx|free|skip|wide|uuid|pdin|meta)$/.test(next)
  );
}
