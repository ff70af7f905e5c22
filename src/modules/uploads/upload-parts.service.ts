import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { newId } from '../../platform/ids.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { objectsOf } from '../media/media.service.js';
import { UploadPart } from './entities/upload-part.entity.js';
import type { NewPart } from './uploads.service.js';

/** Bytes stored and acknowledged together: the most that a crash can lose, and the memory that one upload takes. */
export const PART_SIZE = 8 * 1024 * 1024;

/** The objects that hold an upload until it is complete. */
@Injectable()
export class UploadPartsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
  ) {}

  /** Stores bytes under a key that is never reused; they are durable when it returns. */
  async store(recordingId: string, start: number, content: Uint8Array): Promise<NewPart> {
    const key = `${objectsOf(recordingId)}parts/${newId()}`;
    const { size } = await this.objects.put(key, content);
    return { start, size, key };
  }

  /** Removes a part that was never committed. */
  async drop({ key }: NewPart): Promise<void> {
    await this.objects.delete([key]);
  }

  /** The first bytes of an upload, at most `length`. */
  async head(recordingId: string, length: number): Promise<Uint8Array> {
    const parts = await this.dataSource.manager.find(UploadPart, {
      where: { recordingId },
      order: { start: 'ASC' },
      take: length,
    });
    const chunks: Uint8Array[] = [];
    let missing = length;
    for (const { key, size } of parts) {
      if (missing <= 0) break;
      const end = Math.min(size, missing) - 1;
      for await (const chunk of await this.objects.get(key, { start: 0, end })) chunks.push(chunk as Buffer);
      missing -= size;
    }
    return Buffer.concat(chunks);
  }
}
