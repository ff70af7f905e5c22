import { boxesIn, numberAt, type Box } from './mp4-boxes.js';

/** The packets that a fragment claims for one track. `start` and `units` are in units of the track's timescale. */
export interface FragmentRun {
  readonly trackId: number;
  /** Null when it continues from the previous fragment. */
  readonly start: number | null;
  readonly packets: number;
  readonly units: number;
  /** Units from `start` until the end of the packet that is shown last; B-frames are decoded in another order. */
  readonly shown: number;
}

/** Flags for the optional fields of a fragment header (`tfhd`), in order. */
const HEADER = { baseDataOffset: 0x1, description: 0x2, duration: 0x8 } as const;
/** Flags for the optional fields of a run (`trun`), and for those of each of its packets. */
const RUN = { dataOffset: 0x1, firstFlags: 0x4, duration: 0x100, composition: 0x800 } as const;
const PACKET_FIELDS = [0x100, 0x200, 0x400, 0x800];

/**
 * What the body of a `moof` box claims, one entry per track. `defaultDurations` has the defaults from the index, by
 * track. A count without a table stays a count: nothing is allocated per packet.
 */
export function readFragment(body: Buffer, defaultDurations: ReadonlyMap<number, number>): FragmentRun[] {
  return [...boxesIn(body)]
    .filter(({ type }) => type === 'traf')
    .map((traf) => readTrack(body, traf, defaultDurations));
}

function readTrack(body: Buffer, traf: Box, defaultDurations: ReadonlyMap<number, number>): FragmentRun {
  let trackId = 0;
  let duration = 0;
  let start: number | null = null;
  let packets = 0;
  let units = 0;
  let shown = 0;
  for (const { type, bodyStart, end } of boxesIn(body, traf.bodyStart, Math.min(traf.end, body.length))) {
    const box = body.subarray(bodyStart, end);
    if (type === 'tfhd') {
      trackId = numberAt(box, 4);
      duration = headerDuration(box) ?? defaultDurations.get(trackId) ?? 0;
    } else if (type === 'tfdt') {
      start = box[0] === 1 && box.length >= 12 ? Number(box.readBigUInt64BE(4)) : numberAt(box, 4);
    } else if (type === 'trun') {
      const run = readRun(box, duration);
      packets += run.packets;
      shown = Math.max(shown, units + run.shown);
      units += run.units;
    }
  }
  return { trackId, start, packets, units, shown };
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
  if (entry === 0 || !(flags & (RUN.duration | RUN.composition))) {
    const units = packets * defaultDuration;
    return { packets, units, shown: units };
  }
  const hasDurations = (flags & RUN.duration) !== 0;
  let units = 0;
  let last = 0;
  let duration = 0;
  for (let at = table; at < table + packets * entry; at += entry) {
    const offset = flags & RUN.composition ? trun.readInt32BE(at + entry - 4) : 0;
    last = Math.max(last, units + offset);
    duration = hasDurations ? trun.readUInt32BE(at) : defaultDuration;
    units += duration;
  }
  // Durations are those of decoding; in the middle, they say nothing about what is shown.
  return { packets, units, shown: packets > 0 ? last + duration : 0 };
}

const flagsOf = (box: Buffer): number => (box.length >= 4 ? box.readUIntBE(1, 3) : 0);
