import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { In, type DataSource, type EntityManager } from 'typeorm';
import { detectFileType, HEAD_SIZE, isMediaType } from '../../platform/file-types/file-type.js';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { PackagingQueueService, RECEIVED } from '../packaging-queue/packaging-queue.service.js';
import { RecordingStatusService } from '../recording-access/recording-status.service.js';
import { PartialUploadPart } from './entities/partial-upload-part.entity.js';
import { PartialUpload } from './entities/partial-upload.entity.js';
import { UploadPart } from './entities/upload-part.entity.js';
import { Upload } from './entities/upload.entity.js';
import { UploadCreationService, type NewRecording } from './upload-creation.service.js';
import { UploadPartsService } from './upload-parts.service.js';
import { notMedia } from './upload-refusals.js';

/** The most partial uploads that one request may join. */
const MAX_PARTIALS = 1_000;
/** A statement of PostgreSQL has at most 65,535 parameters. */
const ROWS_AT_ONCE = 1_000;

type JoinedPart = Pick<UploadPart, 'start' | 'size' | 'key'>;

interface Joined {
  readonly parts: readonly JoinedPart[];
  readonly size: number;
  readonly mediaType: string;
  readonly concat: string;
}

/** Joins partial uploads into a recording (tus, `Upload-Concat: final`). */
@Injectable()
export class UploadConcatenationService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly creation: UploadCreationService,
    private readonly parts: UploadPartsService,
    private readonly statuses: RecordingStatusService,
    private readonly packaging: PackagingQueueService,
    private readonly clock: Clock,
  ) {}

  /** Creates the recording in one transaction with the end of the partial uploads; after any refusal they are as before. */
  async join(caller: Pick<Caller, 'id'>, concat: string, input: NewRecording, id: string): Promise<void> {
    const ids = idsOf(concat);
    const partials = await this.dataSource.manager.findBy(PartialUpload, { id: In(ids), userId: caller.id });
    requireComplete(ids, partials);
    // Complete, so none of them can change until it is removed.
    const parts = await this.partsOf(ids);
    const type = await detectFileType(await this.parts.headOf(parts, HEAD_SIZE), true);
    if (type === null || !isMediaType(type)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', notMedia(type));
    const size = partials.reduce((sum, { received }) => sum + received, 0);
    await this.creation.create(caller, { ...input, size }, id, {
      isComplete: true,
      before: (manager) => this.release(manager, caller.id, ids),
      after: (manager) => this.close(manager, id, { parts, size, mediaType: type, concat }),
    });
  }

  /** First, so that they no longer take room. A trigger removes only objects that no upload has by the commit. */
  private async release(manager: EntityManager, userId: string, ids: string[]): Promise<void> {
    const locked = await manager.find(PartialUpload, {
      where: { id: In(ids), userId },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    requireComplete(ids, locked);
    await manager.delete(PartialUpload, ids);
  }

  private async close(
    manager: EntityManager,
    recordingId: string,
    { parts, size, mediaType, concat }: Joined,
  ): Promise<void> {
    for (let from = 0; from < parts.length; from += ROWS_AT_ONCE) {
      const rows = parts.slice(from, from + ROWS_AT_ONCE);
      await manager.insert(
        UploadPart,
        rows.map((part) => ({ ...part, recordingId })),
      );
    }
    const closedAt = this.clock.now();
    await manager.update(Upload, { recordingId }, { received: size, mediaType, concat, closedAt });
    const recording = await this.statuses.lockOwned(manager, recordingId);
    if (!recording) throw new Error('The recording was not created');
    await this.statuses.apply(manager, recordingId, recording.status, 'received', { progress: RECEIVED });
    await this.packaging.enqueue(manager, recordingId, recording.owner);
  }

  /** The parts of all partial uploads one after the other. */
  private async partsOf(ids: string[]): Promise<JoinedPart[]> {
    const found = await this.dataSource.manager.find(PartialUploadPart, {
      where: { partialId: In(ids) },
      order: { start: 'ASC' },
    });
    const order = new Map(ids.map((id, index) => [id, index]));
    const position = ({ partialId }: PartialUploadPart): number => order.get(partialId) ?? 0;
    let start = 0;
    return found
      .sort((a, b) => position(a) - position(b) || a.start - b.start)
      .map(({ size, key }) => {
        const part = { start, size, key };
        start += size;
        return part;
      });
  }
}

/** The ids in `final;<url> <url>`; the URLs may be relative. */
function idsOf(concat: string): string[] {
  const urls = concat.startsWith('final;') ? concat.slice('final;'.length).trim().split(/\s+/) : [];
  const ids = urls.map((url) => (/\/uploads\/([^/?#]+)$/.exec(url)?.[1] ?? '').toLowerCase());
  if (ids.length === 0 || ids.length > MAX_PARTIALS || new Set(ids).size < ids.length) {
    throw new DomainError(
      'VALIDATION_ERROR',
      `Upload-Concat: must be partial, or final; and the URLs of 1 to ${MAX_PARTIALS} different partial uploads`,
    );
  }
  if (!ids.every(isUuid)) throw missing();
  return ids;
}

function requireComplete(ids: string[], partials: readonly PartialUpload[]): void {
  if (partials.length < ids.length) throw missing();
  if (partials.some(({ size, received }) => size !== received)) {
    throw new DomainError('CONFLICT', 'Upload-Concat: a partial upload is incomplete');
  }
}

function missing(): DomainError {
  return new DomainError('NOT_FOUND', 'Upload-Concat: a partial upload does not exist');
}
