/** PCM, floating point, A-law, µ-law, and the newer form of these: a block is a sample of each channel. */
const PLAIN_FORMATS = new Set([0x1, 0x3, 0x6, 0x7, 0xfffe]);
/** ADPCM and GSM: the header says how many samples a block has. What it says of bytes per second is often wrong. */
const BLOCK_FORMATS = new Set([0x2, 0x11, 0x31]);
/** Sizes that recorders write before they know better. */
const UNKNOWN_SIZES = new Set([0, 0xffffffff, 0x7fffffff]);

/**
 * Seconds that the header of a WAV or AVI claims; null if it does not say, or is neither. FFmpeg takes the size of the
 * file instead, so that a truncated one seems complete.
 */
export function riffClaim(head: Buffer): number | null {
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
