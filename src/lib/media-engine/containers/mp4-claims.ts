import type { FileHandle } from 'node:fs/promises';
import { bytesText } from '../../amounts.js';
import { MEDIA_LIMITS, requireWithinLimits, type MediaClaims } from '../media-limits.js';
import { bytes } from './byte-range.js';
import { boxes, numberAt, type Box } from './mp4-boxes.js';
import { readFragment, type FragmentRun } from './mp4-fragment.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';

/** Boxes that contain other boxes, down to the tables of a track. */
const CONTAINERS = new Set(['mdia', 'minf', 'stbl', 'mvex']);
/** Boxes in one index, not counting table entries. */
const MAX_BOXES = 20_000;
/** Tables are read this many bytes at a time. */
const PIECE_BYTES = 64 * 1024;
const ENTRY_BYTES = 8;

class Track {
  id = 0;
  /** Units per second. */
  timescale = 0;
  /** Number of packets according to the size table, and according to the time tables. */
  sizes = 0;
  times = 0;
  /** Total bytes if all packets have the same size; 0 otherwise, because each then has an entry in the size table. */
  packetBytes = 0;
  /** Total duration of all packets, in units. */
  units = 0;
  picture: MediaClaims['picture'] = null;
  isVideo = false;
  /** `start` and `end` are in units, and infinite without fragments. */
  readonly fragments = { packets: 0, start: Infinity, end: -Infinity };
}

/**
 * Adds up what the index and the fragments of an MP4 claim, so that a claim impossible for a file of this size is
 * rejected before a parser or decoder works on it. Time is proportional to the bytes actually present and memory is
 * constant: numbers are summed, never expanded.
 */
export class Mp4Claims {
  private readonly tracks: Track[] = [];
  private readonly defaultDurations = new Map<number, number>();
  private boxes = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  /** Reads a `moof` box; the `moov` box comes first. */
  async readFragment(moof: Box): Promise<void> {
    const length = Math.min(moof.end, this.size) - moof.bodyStart;
    if (length > MEDIA_LIMITS.fragmentIndex) {
      const limit = bytesText(MEDIA_LIMITS.fragmentIndex);
      throw new UnplayableMediaError(
        `The index of a fragment has ${bytesText(length)}; the limit is ${limit}.`,
      );
    }
    const body = await bytes(this.file, moof.bodyStart, length);
    for (const run of readFragment(body, this.defaultDurations)) this.addRun(run);
  }

  /** Throws `UnplayableMediaError` when a claim exceeds a limit for this many bytes. `cut`: the end is missing. */
  requireWithinLimits(cut: boolean, size: number): void {
    for (const track of this.tracks) requireWithinLimits(claimsOf(track, cut), size);
  }

  /** Reads a `moov` box, or one inside it. Throws `UnplayableMediaError` when it has too many tracks. */
  async readIndex(container: Box, track: Track | null = null): Promise<void> {
    for await (const box of boxes(this.file, container.bodyStart, Math.min(container.end, this.size))) {
      if (++this.boxes > MAX_BOXES)
        throw new UnplayableMediaError(`The index has more than ${MAX_BOXES} boxes, which is the limit.`);
      if (box.type === 'trak') {
        const added = new Track();
        requireWithinLimits({ tracks: this.tracks.push(added) }, this.size);
        await this.readIndex(box, added);
      } else if (box.type === 'trex') {
        const body = await bytes(this.file, box.bodyStart, 16);
        this.defaultDurations.set(numberAt(body, 4), numberAt(body, 12));
      } else if (CONTAINERS.has(box.type)) await this.readIndex(box, track);
      else if (track) await this.readLeaf(box, track);
    }
  }

  private async readLeaf(box: Box, track: Track): Promise<void> {
    const read = (length: number) => bytes(this.file, box.bodyStart, length);
    if (box.type === 'tkhd') {
      const body = await read(24);
      track.id = numberAt(body, body[0] === 1 ? 20 : 12);
    } else if (box.type === 'mdhd') {
      const body = await read(24);
      track.timescale = numberAt(body, body[0] === 1 ? 20 : 12);
    } else if (box.type === 'hdlr') {
      track.isVideo = (await read(12)).toString('latin1', 8, 12) === 'vide';
    } else if (box.type === 'stsd') {
      // The first entry follows the number of entries; width and height are at fixed offsets in it.
      const body = await read(44);
      if (body.length === 44) track.picture = { width: body.readUInt16BE(40), height: body.readUInt16BE(42) };
    } else if (box.type === 'stsz' || box.type === 'stz2') {
      const body = await read(12);
      const count = numberAt(body, 8);
      track.sizes += count;
      if (box.type === 'stsz') track.packetBytes += count * numberAt(body, 4);
    } else if (box.type === 'stts') {
      const { count, weighted } = await this.sumTable(box);
      track.times = Math.max(track.times, count);
      track.units += weighted;
    } else if (box.type === 'ctts') {
      track.times = Math.max(track.times, (await this.sumTable(box)).count);
    }
  }

  /** Returns, for a table of (count, value) entries, the sum of the counts, and of the values weighted by them. */
  private async sumTable(box: Box): Promise<{ count: number; weighted: number }> {
    const entries = numberAt(await bytes(this.file, box.bodyStart, 8), 4);
    const start = box.bodyStart + 8;
    const end = Math.min(box.end, this.size, start + entries * ENTRY_BYTES);
    let count = 0;
    let weighted = 0;
    for (let from = start; from + ENTRY_BYTES <= end; from += PIECE_BYTES) {
      const piece = await bytes(this.file, from, Math.min(PIECE_BYTES, end - from));
      for (let at = 0; at + ENTRY_BYTES <= piece.length; at += ENTRY_BYTES) {
        const number = piece.readUInt32BE(at);
        count += number;
        weighted += number * piece.readUInt32BE(at + 4);
      }
    }
    return { count, weighted };
  }

  private addRun({ trackId, start, packets, units }: FragmentRun): void {
    const track = this.tracks.find(({ id }) => id === trackId);
    if (!track) return;
    const { fragments } = track;
    const from = start ?? (fragments.end === -Infinity ? 0 : fragments.end);
    fragments.packets += packets;
    fragments.start = Math.min(fragments.start, from);
    fragments.end = Math.max(fragments.end, from + units);
  }
}

function claimsOf(track: Track, cut: boolean): MediaClaims {
  const { fragments, timescale, isVideo } = track;
  // Files cut from live streams start at the time of day, or count from 1970.
  const live = fragments.end > fragments.start ? fragments.end - fragments.start : 0;
  return {
    duration: timescale > 0 ? Math.max(track.units, live) / timescale : null,
    packets: Math.max(track.sizes, track.times) + fragments.packets,
    packetBytes: cut ? 0 : track.packetBytes,
    picture: isVideo ? track.picture : null,
  };
}
