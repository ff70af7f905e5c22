import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { conflict, required } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { SECOND_MS } from '../../../lib/durations.js';
import { HEAD_SIZE } from '../../../lib/file-types/text-type.js';
import { Clock } from '../../../platform/clock/clock.js';
import { newId } from '../../../platform/ids.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import type { Caller } from '../../../policy/caller.js';
import { MediaService } from '../../media/media.service.js';
import { partsOf } from '../../media/public/media-objects.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { DirectPart } from '../entities/direct-part.entity.js';
import { Upload } from '../entities/upload.entity.js';
import { UploadCreationService, type NewMedia } from '../upload-creation.service.js';
import { UploadEndingService } from '../upload-ending.service.js';
import { accepted, requireFromClient, requireOpen, superseded } from '../upload-refusals.js';
import { detectMedia } from '../upload-writer.js';
import { UploadsService } from '../uploads.service.js';
import { takeParts } from './direct-parts.queries.js';
import { missingParts, NO_PARTS, NOT_DIRECT, NOT_EMPTY } from './direct-refusals.js';
import { partCount, partSize } from '../public/direct-parts.js';
import type { PresignedPart } from '../public/presigned-part.response.dto.js';

/** Uploads whose bytes clients store in S3 themselves. */
@Injectable()
export class DirectUploadsService {
  constructor(
    @InjectRepository(DirectPart) private readonly rows: Repository<DirectPart>,
    private readonly objects: ObjectStore,
    private readonly creation: UploadCreationService,
    private readonly uploads: UploadsService,
    private readonly ending: UploadEndingService,
    private readonly media: MediaService,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens an upload, or continues an open one that has received nothing, and returns URLs in the order of the file.
   * `parts`: of each part to get one for, by its number, the SHA-256 in lower-case hexadecimal.
   */
  async open(
    caller: Caller,
    recordingId: string,
    media: NewMedia,
    parts: Readonly<Record<string, string>>,
  ): Promise<PresignedPart[]> {
    const { size = 0, transcribe, language } = media;
    const expiresAt = new Date(this.clock.now().getTime() + LIMITS.directUrlSeconds * SECOND_MS);
    const asked = Object.entries(parts).map(([number, sha256]) => ({
      recordingId,
      number: Number(number),
      sha256,
      key: partsOf(recordingId) + newId(),
    }));
    const sign = async ({ number, sha256, key }: DirectPart): Promise<PresignedPart> => {
      const part = { number, size: partSize(size, number) };
      const put = await this.objects.presign(key, { size: part.size, sha256 }, expiresAt);
      return { ...part, ...required(put, 'CONFLICT', NOT_DIRECT), expires_at: expiresAt.toISOString() };
    };
    // Refused before anything is opened.
    if (asked[0]) await sign(asked[0]);
    const begun = await this.begin(caller, recordingId, media, size);
    const announced = await this.uploads.change(begun, async (manager, { upload }) => {
      if (upload.received > 0) throw conflict(NOT_EMPTY);
      if (transcribe !== undefined || language !== undefined)
        await manager.update(Recording, { id: recordingId }, { autoTranscribe: transcribe, language });
      // Its parts may arrive until then.
      await manager.getRepository(Upload).update({ recordingId }, { activeAt: expiresAt });
      await this.media.scheduleGarbageCollection(manager, recordingId);
      const rows = manager.getRepository(DirectPart);
      // A part with the same hash as before keeps its key, and what is stored under it.
      const kept = await rows.findBy(asked.map(({ number, sha256 }) => ({ recordingId, number, sha256 })));
      const expected = asked.map((part) => kept.find(({ number }) => number === part.number) ?? part);
      await rows.upsert(expected, ['recordingId', 'number']);
      return expected;
    });
    return Promise.all(announced.map(sign));
  }

  /** Closes the upload, once the store has all its parts, and starts the processing. */
  async complete(caller: Caller, recordingId: string): Promise<void> {
    const claim = await this.uploads.claim();
    const upload = requireOpen(await this.uploads.findOpen(recordingId));
    const begun = Object.assign(upload, { claim, sender: caller });
    const { size } = upload;
    if (size === null) throw conflict(NO_PARTS);
    const keys = await this.findStored(recordingId, size);
    const head = await buffer(await this.objects.get(keys[0] ?? '', { start: 0, end: HEAD_SIZE - 1 }));
    const mediaType = await detectMedia(this.uploads, begun, head, head.length === size);
    const advanced = await this.uploads.change(begun, async (manager, open) => {
      if (open.upload.received > 0) throw conflict(NOT_EMPTY);
      // A part may have been replaced meanwhile.
      if ((await takeParts(manager, open.upload, keys)) < keys.length) throw superseded();
      const changes = { received: size, claim, mediaType, activeAt: this.clock.now() };
      await manager.getRepository(Upload).update({ recordingId }, changes);
      return this.ending.advance(manager, open, Object.assign(open.upload, changes));
    });
    METRICS.uploadedBytes.inc(accepted(advanced).received);
  }

  private async begin(caller: Caller, recordingId: string, media: NewMedia, size: number): Promise<Upload> {
    this.creation.requireSize(media);
    const found = await this.uploads.findOpen(recordingId);
    if (found === null || found.closedAt !== null) await this.creation.open(caller, recordingId, media);
    else requireFromClient(found);
    const begun = await this.uploads.begin(recordingId, await this.uploads.claim(), caller);
    if (begun.size !== size) await this.uploads.declareSize(begun, size);
    return begun;
  }

  /** The keys of all parts, in the order of the file. The store only has what has the right size and hash. */
  private async findStored(recordingId: string, size: number): Promise<string[]> {
    const parts = await this.rows.find({ where: { recordingId }, order: { number: 'ASC' } });
    if (parts.length === 0) throw conflict(NO_PARTS);
    const wanted = new Map(parts.map(({ number, key }) => [key, number]));
    const missing = new Set(Array.from({ length: partCount(size) }, (_, index) => index + 1));
    for await (const { key } of this.objects.list(partsOf(recordingId))) missing.delete(wanted.get(key) ?? 0);
    if (missing.size > 0) throw conflict(missingParts([...missing], partCount(size)));
    return parts.map(({ key }) => key);
  }
}
