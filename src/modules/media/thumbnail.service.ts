import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { ObjectMissingError, ObjectStore } from '../../platform/storage/object-store.js';
import { thumbnailOf } from './public/media-keys.js';
import { jpegSize, type ImageSize } from './public/thumbnail-size.js';

/** Bytes within which a thumbnail that the packager wrote has its size. */
const HEAD = 4_096;

/** Knows the thumbnails of packages. */
@Injectable()
export class ThumbnailService {
  constructor(private readonly objects: ObjectStore) {}

  /** Null if there is no thumbnail. */
  async readSize(packageKey: string): Promise<ImageSize | null> {
    try {
      return jpegSize(
        await buffer(await this.objects.get(thumbnailOf(packageKey), { start: 0, end: HEAD - 1 })),
      );
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }
}
