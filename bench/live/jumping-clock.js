const CLUSTER = Buffer.from('1f43b675', 'hex');
/** The element that a cluster begins with, and a length of six bytes. */
const [TIMESTAMP, SIX_BYTES] = [0xe7, 0x86];
/** The service takes tracks that are not written in order for what they are, as long as it is less than ten seconds. */
const BACK_MS = 9_000;

/**
 * Returns a WebM file whose clock jumps forward by `seconds` before every cluster after the first `whole` ones. Its units
 * are milliseconds, and its clusters do not state their length, as recorders write them. `isHidden`: each of the later
 * clusters first states an earlier time, and then the time that counts.
 */
export function withJumps(media, seconds, whole, isHidden = false) {
  const pieces = [];
  let from = 0;
  let clusters = 0;
  for (let at = media.indexOf(CLUSTER); at >= 0; at = media.indexOf(CLUSTER, at + 1)) {
    const element = media.indexOf(TIMESTAMP, at + CLUSTER.length);
    const length = media[element + 1] - 0x80;
    const jumps = Math.max(0, (clusters += 1) - whole);
    if (jumps === 0) continue;
    const time = media.readUIntBE(element + 2, length);
    const later = timestamp(time + (isHidden ? 1 : jumps) * seconds * 1000);
    const former = timestamp(Math.max(0, whole * 1000 - jumps * BACK_MS));
    pieces.push(media.subarray(from, element), ...(isHidden ? [former] : []), later);
    from = element + 2 + length;
  }
  return Buffer.concat([...pieces, media.subarray(from)]);
}

function timestamp(milliseconds) {
  const written = Buffer.from([TIMESTAMP, SIX_BYTES, 0, 0, 0, 0, 0, 0]);
  written.writeUIntBE(milliseconds, 2, 6);
  return written;
}
