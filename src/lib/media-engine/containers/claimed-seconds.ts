/** PCM, floating point, A-law, µ-law, and the newer form of these: a block is a sample of each channel. */
const PLAIN_FORMATS = new Set([0x1, 0x3, 0x6, 0x7, 0xfffe]);
/** ADPCM and GSM: the header says how many samples a block has. What it says of bytes per second is often wrong. */
const BLOCK_FORMATS = new Set([0x2, 0x11, 0x31]);
/** Sizes that recorders write before they know better. */
const UNKNOWN_SIZES = new Set([0, 0xffffffff, 0x7fffffff]);

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

/** Seconds that the first bytes of a WAV, AVI or MP3 claim, where FFmpeg does not report it; null if they do not say. */
export const claimedSeconds = (head: Buffer): number | null => riffClaim(head) ?? xingClaim(head);

/** FFmpeg takes the size of the file instead, so that a truncated one seems complete. */
function riffClaim(head: Buffer): number | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF') return null;
  const form = head.toString('latin1', 8, 12);
  if (form === 'AVI ') return aviClaim(head);
  return form === 'WAVE' ? wavClaim(head) : null;
}

function aviClaim(head: Buffer): number | null {
  const at = head.indexOf('avih', 12, 'latin1');
  if (at < 0 || at + 28 > head.length) return null;
  const frames = head.readUInt32LE(at + 24);
  const microseconds = head.readUInt32LE(at + 8);
  return UNKNOWN_SIZES.has(frames) || microseconds === 0 ? null : (frames * microseconds) / 1e6;
}

function wavClaim(head: Buffer): number | null {
  let format: Buffer | null = null;
  let samples: number | null = null;
  for (let at = 12; at + 8 <= head.length;) {
    const type = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const body = head.subarray(at + 8, at + 8 + size);
    if (type === 'fmt ' && body.length >= 16) format = body;
    if (type === 'fact' && body.length >= 4) samples = body.readUInt32LE(0);
    if (type === 'data') return format && !UNKNOWN_SIZES.has(size) ? secondsOf(size, format, samples) : null;
    at += 8 + size + (size % 2);
  }
  return null;
}

/** `samples` is the number of samples that the file says it has, which only compressed formats do. */
function secondsOf(dataBytes: number, format: Buffer, samples: number | null): number | null {
  const tag = format.readUInt16LE(0);
  const rate = format.readUInt32LE(4);
  const block = format.readUInt16LE(12);
  if (rate === 0 || block === 0) return null;
  if (PLAIN_FORMATS.has(tag)) return dataBytes / block / rate;
  if (BLOCK_FORMATS.has(tag) && format.length >= 20)
    return ((dataBytes / block) * format.readUInt16LE(18)) / rate;
  return samples === null || UNKNOWN_SIZES.has(samples) ? null : samples / rate;
}

/** What the Xing tag of an MP3 claims; FFmpeg's own duration is an estimate that says nothing about truncation. */
function xingClaim(head: Buffer): number | null {
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
