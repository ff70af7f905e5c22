/** Sizes that recorders write before they know better. */
const UNKNOWN_SIZES = new Set([0, 0xffffffff, 0x7fffffff]);

/**
 * Seconds that the header of a WAV or AVI claims; null if it does not say, or is neither. FFmpeg takes the size of the file
 * instead, so that a truncated one seems complete.
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
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length;) {
    const type = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    if (type === 'fmt ' && at + 20 <= head.length) bytesPerSecond = head.readUInt32LE(at + 16);
    if (type === 'data') return bytesPerSecond > 0 && !UNKNOWN_SIZES.has(size) ? size / bytesPerSecond : null;
    at += 8 + size + (size % 2);
  }
  return null;
}
