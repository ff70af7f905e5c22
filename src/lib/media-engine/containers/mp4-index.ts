import type { FileHandle } from 'node:fs/promises';
import { requireWithinLimits, type MediaClaims } from '../media-limits.js';
import { UnplayableMediaError } from '../media.errors.js';
import { bytes } from './byte-range.js';
import { boxes, boxesIn, numberAt, type Box } from './mp4-boxes.js';

/** Boxes that contain other boxes, down to the tables of a track. */
const CONTAINERS = new Set(['mdia', 'minf', 'stbl', 'mvex']);
/** Boxes in one index, not counting table entries. */
const MAX_BOXES = 20_000;
/** What is read of a box with fixed fields, and of the description of a track, which rarely has a kilobyte. */
const FIELD_BYTES = 24;
const DESCRIPTION_BYTES = 8 * 1024;
/** Tables are read this many bytes at a time. */
const PIECE_BYTES = 64 * 1024;
const ENTRY_BYTES = 8;

/** Flags for the optional fields of a fragment header (`tfhd`), in order. */
const HEADER = { baseDataOffset: 0x1, description: 0x2, duration: 0x8 } as const;
/** Flags for the optional fields of a run (`trun`), and for those of each of its packets. */
const RUN = { dataOffset: 0x1, firstFlags: 0x4, duration: 0x100, composition: 0x800 } as const;
const PACKET_FIELDS = [0x100, 0x200, 0x400, 0x800];

/** A track as the index of an MP4 describes it. Times are in its own units. */
export class Mp4Track {
  id = 0;
  unitsPerSecond = 0;
  isVideo = false;
  /** The body of `stsd`. */
  description: Buffer = Buffer.alloc(0);
  /** Number of packets according to the size table, and according to the time tables. */
  sizes = 0;
  times = 0;
  /** Total bytes if all packets have the same size; 0 otherwise, because each then has an entry in the size table. */
  packetBytes = 0;
  /** Total duration of all packets. */
  units = 0;
  /** Of fragments; `start` and `end` are infinite without any. */
  readonly fragments = { packets: 0, start: Infinity, end: -Infinity };

  /** Pixels, at fixed offsets in the first description; null for audio. */
  get picture(): { readonly width: number; readonly height: number } | null {
    const { description } = this;
    if (!this.isVideo || description.length < 44) return null;
    return { width: description.readUInt16BE(40), height: description.readUInt16BE(42) };
  }
}

/** The packets that a fragment claims for one track. */
interface FragmentRun {
  readonly track: Mp4Track;
  /** Null when it continues from the previous fragment. */
  readonly start: number | null;
  readonly packets: number;
  readonly units: number;
  /** Units from `start` until the end of the packet that is shown last; B-frames are decoded in another order. */
  readonly shown: number;
}

/**
 * What the index and the fragments of an MP4 say. Claims are added up, so that one that is impossible for a file of this
 * size is rejected before a parser or decoder works on it. Time is proportional to the bytes actually present and memory
 * is constant: numbers are summed, never expanded.
 */
export class Mp4Index {
  readonly tracks: Mp4Track[] = [];
  private readonly defaultDurations = new Map<number, number>();
  private boxes = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  /** Reads a `moov` box, or one inside it. Throws `UnplayableMediaError` when it has too many tracks. */
  async read(container: Box, track: Mp4Track | null = null): Promise<void> {
    for await (const box of boxes(this.file, container.bodyStart, Math.min(container.end, this.size))) {
      if (++this.boxes > MAX_BOXES)
        throw new UnplayableMediaError(`The index has more than ${MAX_BOXES} boxes, which is the limit.`);
      if (box.type === 'trak') {
        const added = new Mp4Track();
        requireWithinLimits({ tracks: this.tracks.push(added) }, this.size);
        await this.read(box, added);
      } else if (box.type === 'trex') {
        const body = await bytes(this.file, box.bodyStart, FIELD_BYTES);
        this.defaultDurations.set(numberAt(body, 4), numberAt(body, 12));
      } else if (CONTAINERS.has(box.type)) await this.read(box, track);
      else if (track) await this.readFields(box, track);
    }
  }

  /** Reads a `moof` box; the `moov` box comes first. */
  async readFragment(moof: Box): Promise<FragmentRun[]> {
    const length = Math.min(moof.end, this.size) - moof.bodyStart;
    requireWithinLimits({ fragmentIndex: length }, this.size);
    const body = await bytes(this.file, moof.bodyStart, length);
    return [...boxesIn(body)].flatMap((box) => (box.type === 'traf' ? this.readRuns(body, box) : []));
  }

  /** Throws `UnplayableMediaError` when a claim exceeds a limit for this many bytes. `cut`: the end is missing. */
  requireWithinLimits(cut: boolean, size: number): void {
    for (const track of this.tracks) requireWithinLimits(claimsOf(track, cut), size);
  }

  private async readFields(box: Box, track: Mp4Track): Promise<void> {
    const { type, bodyStart, end } = box;
    const most = type === 'stsd' ? DESCRIPTION_BYTES : FIELD_BYTES;
    const body = await bytes(this.file, bodyStart, Math.min(most, end - bodyStart));
    if (type === 'tkhd') track.id = numberAt(body, body[0] === 1 ? 20 : 12);
    else if (type === 'mdhd') track.unitsPerSecond = numberAt(body, body[0] === 1 ? 20 : 12);
    else if (type === 'hdlr') track.isVideo = body.toString('latin1', 8, 12) === 'vide';
    else if (type === 'stsd') track.description = body;
    else if (type === 'stsz' || type === 'stz2') {
      track.sizes += numberAt(body, 8);
      if (type === 'stsz') track.packetBytes += numberAt(body, 8) * numberAt(body, 4);
    } else if (type === 'stts' || type === 'ctts') {
      const { count, weighted } = await this.sumTable(box, numberAt(body, 4));
      track.times = Math.max(track.times, count);
      if (type === 'stts') track.units += weighted;
    }
  }

  /** Returns, for a table of (count, value) entries, the sum of the counts, and of the values weighted by them. */
  private async sumTable(box: Box, entries: number): Promise<{ count: number; weighted: number }> {
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

  /** What a `traf` box claims, if its track is known. A count without a table stays a count. */
  private readRuns(moof: Buffer, traf: Box): FragmentRun[] {
    let track: Mp4Track | undefined;
    let duration = 0;
    let start: number | null = null;
    let [packets, units, shown] = [0, 0, 0];
    for (const { type, bodyStart, end } of boxesIn(moof, traf.bodyStart, Math.min(traf.end, moof.length))) {
      const box = moof.subarray(bodyStart, end);
      if (type === 'tfhd') {
        const id = numberAt(box, 4);
        track = this.tracks.find((one) => one.id === id);
        duration = headerDuration(box) ?? this.defaultDurations.get(id) ?? 0;
      } else if (type === 'tfdt') {
        start = box[0] === 1 && box.length >= 12 ? Number(box.readBigUInt64BE(4)) : numberAt(box, 4);
      } else if (type === 'trun') {
        const run = readRun(box, duration);
        packets += run.packets;
        shown = Math.max(shown, units + run.shown);
        units += run.units;
      }
    }
    if (!track) return [];
    const { fragments } = track;
    const from = start ?? Math.max(0, fragments.end);
    fragments.packets += packets;
    fragments.start = Math.min(fragments.start, from);
    fragments.end = Math.max(fragments.end, from + units);
    return [{ track, start, packets, units, shown }];
  }
}

function claimsOf(track: Mp4Track, cut: boolean): MediaClaims {
  const { fragments, unitsPerSecond, picture } = track;
  // Files cut from live streams start at the time of day, or count from 1970.
  const live = fragments.end > fragments.start ? fragments.end - fragments.start : 0;
  return {
    duration: unitsPerSecond > 0 ? Math.max(track.units, live) / unitsPerSecond : null,
    packets: Math.max(track.sizes, track.times) + fragments.packets,
    packetBytes: cut ? 0 : track.packetBytes,
    picture,
  };
}

function headerDuration(tfhd: Buffer): number | null {
  const flags = flagsOf(tfhd);
  if (!(flags & HEADER.duration)) return null;
  return numberAt(tfhd, 8 + (flags & HEADER.baseDataOffset ? 8 : 0) + (flags & HEADER.description ? 4 : 0));
}

function readRun(trun: Buffer, defaultDuration: number): Pick<FragmentRun, 'packets' | 'units' | 'shown'> {
  const flags = flagsOf(trun);
  const claimed = numberAt(trun, 4);
  const table = 8 + (flags & RUN.dataOffset ? 4 : 0) + (flags & RUN.firstFlags ? 4 : 0);
  const entry = 4 * PACKET_FIELDS.filter((field) => flags & field).length;
  const packets =
    entry > 0 ? Math.min(claimed, Math.max(0, Math.floor((trun.length - table) / entry))) : claimed;
  if (!(flags & (RUN.duration | RUN.composition))) {
    const units = packets * defaultDuration;
    return { packets, units, shown: units };
  }
  let [units, last, duration] = [0, 0, 0];
  for (let at = table; at < table + packets * entry; at += entry) {
    const offset = flags & RUN.composition ? trun.readInt32BE(at + entry - 4) : 0;
    last = Math.max(last, units + offset);
    duration = flags & RUN.duration ? trun.readUInt32BE(at) : defaultDuration;
    units += duration;
  }
  // Durations are those of decoding; in the middle, they say nothing about what is shown.
  return { packets, units, shown: packets > 0 ? last + duration : 0 };
}

const flagsOf = (box: Buffer): number => (box.length >= 4 ? box.readUIntBE(1, 3) : 0);
