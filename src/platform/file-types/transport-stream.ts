const SYNC = 0x47;
/** Plain; with a time code before each packet (M2TS); with error correction after it. */
const PACKET_SIZES = [188, 192, 204];
const PACKETS = 5;

/** Whether packets of MPEG-TS follow each other in these bytes. A recorder may have begun in the middle of one. */
export function isTransportStream(bytes: Uint8Array): boolean {
  return PACKET_SIZES.some((size) => {
    for (let start = 0; start < size; start++) if (hasPackets(bytes, start, size)) return true;
    return false;
  });
}

function hasPackets(bytes: Uint8Array, start: number, size: number): boolean {
  for (let packet = 0; packet < PACKETS; packet++) if (bytes[start + packet * size] !== SYNC) return false;
  return true;
}
