import { boxesIn, numberAt, type Box } from '../containers/mp4-boxes.js';

/** A track of a fragmented MP4, as its `moov` box describes it. */
export interface FragmentTrack {
  readonly id: number;
  /** Units of time in a second. */
  readonly timescale: number;
  /** Duration in units of packets that do not say. */
  readonly defaultDuration: number;
  /** The codec as players ask for it in the `CODECS` attribute of a playlist (RFC 6381). */
  readonly codec: string;
  /** Pixels; null for audio. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** Length of a sample description before the boxes that it contains. */
const VIDEO_ENTRY_BYTES = 78;
const AUDIO_ENTRY_BYTES = 28;
/** Tag of the decoder's own description in an `esds` box. */
const DECODER_SPECIFIC = 0x05;

/** The tracks in the body of a `moov` box. */
export function fragmentTracks(moov: Buffer): FragmentTrack[] {
  const durations = new Map<number, number>();
  for (const trex of find(moov, ['mvex', 'trex'])) durations.set(numberAt(trex, 4), numberAt(trex, 12));
  return find(moov, ['trak']).map((trak) => readTrack(trak, durations));
}

function readTrack(trak: Buffer, durations: ReadonlyMap<number, number>): FragmentTrack {
  const [tkhd = Buffer.alloc(0)] = find(trak, ['tkhd']);
  const [mdhd = Buffer.alloc(0)] = find(trak, ['mdia', 'mdhd']);
  const [stsd = Buffer.alloc(0)] = find(trak, ['mdia', 'minf', 'stbl', 'stsd']);
  const id = numberAt(tkhd, tkhd[0] === 1 ? 20 : 12);
  const [entry] = boxesIn(stsd, 8);
  const isVideo = find(trak, ['mdia', 'minf', 'vmhd']).length > 0;
  return {
    id,
    timescale: numberAt(mdhd, mdhd[0] === 1 ? 20 : 12) || 1,
    defaultDuration: durations.get(id) ?? 0,
    codec: entry ? codecOf(stsd, entry, isVideo ? VIDEO_ENTRY_BYTES : AUDIO_ENTRY_BYTES) : '',
    size: entry && isVideo ? sizeOf(stsd.subarray(entry.bodyStart)) : null,
  };
}

function sizeOf(entry: Buffer): { width: number; height: number } {
  return entry.length < VIDEO_ENTRY_BYTES
    ? { width: 0, height: 0 }
    : { width: entry.readUInt16BE(24), height: entry.readUInt16BE(26) };
}

function codecOf(stsd: Buffer, { type, bodyStart, end }: Box, headerBytes: number): string {
  const children = stsd.subarray(bodyStart + headerBytes, end);
  const config = (name: string) => find(children, [name])[0] ?? Buffer.alloc(0);
  switch (type) {
    case 'avc1':
      return `avc1.${config('avcC').toString('hex', 1, 4)}`;
    case 'mp4a':
      return `mp4a.40.${audioObjectType(config('esds'))}`;
    case 'vp09': {
      const [profile, level, depth = 0] = config('vpcC').subarray(4);
      return `vp09.${two(profile)}.${two(level)}.${two(depth >> 4)}`;
    }
    case 'av01': {
      const [, levels = 0, flags = 0] = config('av1C');
      const depth = flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
      return `av01.${levels >> 5}.${two(levels & 31)}${flags & 0x80 ? 'H' : 'M'}.${two(depth)}`;
    }
    case 'Opus':
      return 'opus';
    default:
      return type.trim();
  }
}

const two = (value: number | undefined): string => String(value ?? 0).padStart(2, '0');

/** 2 is AAC-LC, 5 HE-AAC, 29 HE-AAC v2. */
function audioObjectType(esds: Buffer): number {
  // Descriptors have a tag, a length of one to four bytes, and a body; the one that is needed is the innermost.
  const at = esds.indexOf(DECODER_SPECIFIC, 4 + 3 + 2 + 13);
  if (at < 0) return 2;
  let body = at + 1;
  while ((esds[body] ?? 0) & 0x80) body += 1;
  const type = (esds[body + 1] ?? 0) >> 3;
  return type === 0 ? 2 : type;
}

/** The bodies of all boxes at a path. */
function find(data: Buffer, [type, ...rest]: readonly string[]): Buffer[] {
  const found = [...boxesIn(data)]
    .filter((box) => box.type === type)
    .map(({ bodyStart, end }) => data.subarray(bodyStart, end));
  return rest.length === 0 ? found : found.flatMap((body) => find(body, rest));
}
