/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Markers of a JPEG that start a frame and have its size, whatever the coding (ITU T.81, B.1.1.3). */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Reads the size of a JPEG from its beginning; null if that does not contain it. */
export function jpegSize(bytes: Buffer): ImageSize | null {
  // After the start of the image: segments, each with a marker and its length.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (isFrameStart(bytes[at + 1]!))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return null;
}
