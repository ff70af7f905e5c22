/** Hertz, by the version bits of a frame header: MPEG 2.5, none, 2, 1. */
const SAMPLE_RATES = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
] as const;
const MPEG_1 = 3;
const LAYER_3 = 1;
const MONO = 3;
/** Bytes of a frame between its header and the tag, for MPEG 1 and the others. */
const SIDE_INFORMATION = { mpeg1: { mono: 17, stereo: 32 }, others: { mono: 9, stereo: 17 } } as const;
const SAMPLES_PER_FRAME = { mpeg1: 1152, others: 576 } as const;
const ID3_HEADER = 10;
const HAS_FRAMES = 1;

/**
 * Seconds that the Xing tag of an MP3 claims; null if there is none within these bytes. FFmpeg reports an estimate in
 * the same place for files without the tag, so its own duration of an MP3 says nothing about truncation.
 */
export function xingClaim(head: Buffer): number | null {
  const at = afterId3(head);
  if (at + 4 > head.length || head.readUInt16BE(at) >>> 5 !== 0x7ff) return null;
  const second = head.readUInt8(at + 1);
  const version = (second >>> 3) & 3;
  const rate = SAMPLE_RATES[version]?.[(head.readUInt8(at + 2) >>> 2) & 3];
  if (((second >>> 1) & 3) !== LAYER_3 || rate === undefined) return null;
  const generation = version === MPEG_1 ? 'mpeg1' : 'others';
  const channels = head.readUInt8(at + 3) >>> 6 === MONO ? 'mono' : 'stereo';
  const tag = at + 4 + SIDE_INFORMATION[generation][channels];
  if (tag + 12 > head.length || !['Xing', 'Info'].includes(head.toString('latin1', tag, tag + 4)))
    return null;
  const frames = head.readUInt32BE(tag + 4) & HAS_FRAMES ? head.readUInt32BE(tag + 8) : 0;
  return frames === 0 ? null : (frames * SAMPLES_PER_FRAME[generation]) / rate;
}

/** The size of the ID3 tag is written in seven bits per byte. */
function afterId3(head: Buffer): number {
  if (head.length < ID3_HEADER || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  return [6, 7, 8, 9].reduce((size, at) => size * 128 + (head.readUInt8(at) & 127), 0) + ID3_HEADER;
}
