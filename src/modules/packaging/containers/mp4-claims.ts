import type { FileHandle } from 'node:fs/promises';
import { bytesText } from '../media-amounts.js';
import { MEDIA_LIMITS, requireWithinLimits, type MediaClaims } from '../media-limits.js';
import { boxes, bytes, numberAt, type Box } from './mp4-boxes.js';
import { readFragment, type FragmentRun } from './mp4-fragment.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';

/** Boxes that hold boxes, down to the tables of a track. */
const CONTAINERS = new Set(['mdia', 'minf', 'stbl', 'mvex']);
/** Of one index, apart from what lies in tables. */
const MAX_BOXES = 20_000;
/** A table is read in pieces of this many bytes. */
const PIECE_BYTES = 64 * 1024;
const ENTRY_BYTES = 8;

interface Track {
  id: number;
  /** Units a second. */
  timescale: number;
  /** Packets by the table of their sizes, and by those of their times. */
  sizes: number;
  times: number;
  /** Bytes of all packets where they are of one size, else 0: they lie in the table then, which has its own bytes. */
  packetBytes: number;
  /** Units that all packets last. */
  units: number;
  picture: { readonly width: number; readonly height: number } | null;
  isVideo: boolean;
  /** `start` and `end` in units; infinite without fragments. */
  readonly fragments: { packets: number; start: number; end: number };
}

/**
 * Adds up what the index and the fragments of an MP4 claim, so that a claim that no file of this size can live up to is
 * refused before a parser or a decoder works on it. Time is in proportion to the bytes that are there, memory is constant:
 * numbers are summed, never expanded.
 */
export class Mp4Claims {
  private readonly tracks: Track[] = [];
  private readonly defaultDurations = new Map<number, number>();
  private boxes = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  /** Reads a `moov` box. Throws `UnplayableMediaError` when it has too many tracks. */
  async readIndex(moov: Box): Promise<void> {
    await this.walk(moov, null);
  }

  /** Reads a `moof` box; the `moov` box comes first. */
  async readFragment(moof: Box): Promise<void> {
    const length = Math.min(moof.end, this.size) - moof.bodyStart;
    if (length > MEDIA_LIMITS.fragmentIndex) {
      const most = bytesText(MEDIA_LIMITS.fragmentIndex);
      throw new UnplayableMediaError(
        `The index of a fragment has ${bytesText(length)}; at most ${most} are processed`,
      );
    }
    const body = await bytes(this.file, moof.bodyStart, length);
    for (const run of readFragment(body, this.defaultDurations)) this.addRun(run);
  }

  /** Throws `UnplayableMediaError` where a claim is over a limit. `cut`: the end of the file is missing. */
  requireWithinLimits(cut: boolean): void {
    for (const track of this.tracks) requireWithinLimits(claimsOf(track, cut), this.size);
  }

  private async walk(container: Box, track: Track | null): Promise<void> {
    for await (const box of boxes(this.file, container.bodyStart, Math.min(container.end, this.size))) {
      if (++this.boxes > MAX_BOXES)
        throw new UnplayableMediaError(`The index has more than ${MAX_BOXES} boxes`);
      if (box.type === 'trak') await this.walk(box, this.addTrack());
      else if (CONTAINERS.has(box.type)) await this.walk(box, track);
      else if (box.type === 'trex') await this.readDefaults(box);
      else if (track) await this.readLeaf(box, track);
    }
  }

  private addTrack(): Track {
    const track = {
      id: 0,
      timescale: 0,
      sizes: 0,
      times: 0,
      packetBytes: 0,
      units: 0,
      picture: null,
      isVideo: false,
      fragments: { packets: 0, start: Infinity, end: -Infinity },
    };
    this.tracks.push(track);
    requireWithinLimits({ tracks: this.tracks.length }, this.size);
    return track;
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
      // Behind the number of entries: the first one, with its size where that of a picture stands.
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

  /** Of a table of counts and values: the sum of the counts, and of the values as often as they count. */
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

  private async readDefaults(trex: Box): Promise<void> {
    const body = await bytes(this.file, trex.bodyStart, 16);
    this.defaultDurations.set(numberAt(body, 4), numberAt(body, 12));
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
  // Live streams cut into files begin at the time of day, or in 1970.
  const live = fragments.end > fragments.start ? fragments.end - fragments.start : 0;
  return {
    duration: timescale > 0 ? Math.max(track.units, live) / timescale : null,
    packets: Math.max(track.sizes, track.times) + fragments.packets,
    packetBytes: cut ? 0 : track.packetBytes,
    picture: isVideo ? track.picture : null,
  };
}
