import { buffer } from 'node:stream/consumers';
import { THUMBNAIL } from '../../../lib/media-engine/process/packager-messages.js';
import { ObjectMissingError, type ObjectStore } from '../../../platform/storage/object-store.js';

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes within which a thumbnail that the packager wrote has its size. */
const HEAD = 4_096;

/** Reads the size of the thumbnail of a package; null if there is none. */
export async function readThumbnailSize(objects: ObjectStore, packageKey: string): Promise<ImageSize | null> {
  try {
    return jpegSize(
      await buffer(await objects.get(`${packageKey}/${THUMBNAIL}`, { start: 0, end: HEAD - 1 })),
    );
  } catch (error) {
    if (error instanceof ObjectMissingError) return null;
    throw error;
  }
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
