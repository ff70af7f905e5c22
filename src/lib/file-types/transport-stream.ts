const SYNC = 0x47;
/** Plain; with a time code before each packet (M2TS); with error correction after it. */
const PACKET_SIZES = [188, 192, 204] as const;
const PACKETS = 5;

/**
 * Size of the packets of an MPEG-TS in bytes, and where the first one begins: a recorder may have begun in the middle
 * of one. Null if packets do not follow each other in these bytes.
 */
export function transportPackets(bytes: Uint8Array): { size: number; start: number } | null {
  for (const size of PACKET_SIZES) {
    for (let start = 0; start < size; start++) {
      const follow = Array.from({ length: PACKETS }, (_, packet) => bytes[start + packet * size]);
      if (follow.every((byte) => byte === SYNC)) return { size, start };
    }
  }
  return null;
}
