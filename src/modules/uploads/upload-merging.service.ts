import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { In, IsNull, LessThan, type DataSource } from 'typeorm';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { MediaService } from '../media/media.service.js';
import { RecordingStatusService } from '../recording-access/recording-status.service.js';
import { UploadPart } from './entities/upload-part.entity.js';
import { Upload } from './entities/upload.entity.js';
import { PART_SIZE, UploadPartsService } from './upload-parts.service.js';

/** Parts of a level that become one of the next: 32,768 pieces are copied three times, and leave at most 93 parts. */
const FAN_IN = 32;
/** Readers of the parts may have looked up their keys just before they were merged. */
const DISCARD_AFTER_MS = 60_000;

const MERGE_JOB = 'uploads.merge-parts';

type Run = readonly UploadPart[];

/**
 * Merges the small parts of an upload that is still open, such as the 7,200 pieces of a meeting of two hours: a job copies
 * consecutive ones into one object, and replaces their rows in one transaction. Until then, and if it dies, nothing changes.
 */
@Injectable()
export class UploadMergingService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statuses: RecordingStatusService,
    private readonly parts: UploadPartsService,
    private readonly objects: ObjectStore,
    private readonly media: MediaService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ recordingId: string }>(MERGE_JOB, ({ recordingId }, stop) =>
      this.merge(recordingId, stop),
    );
  }

  /** Enqueues merging if there are enough small parts; if that is lost, it happens some parts later. */
  async enqueueIfDue({ recordingId, closedAt }: Upload): Promise<void> {
    if (closedAt !== null) return;
    const { manager } = this.dataSource;
    const fresh = await manager.countBy(UploadPart, { recordingId, level: 0, size: LessThan(PART_SIZE) });
    if (fresh === 0 || fresh % FAN_IN !== 0) return;
    await this.jobs.enqueue(manager, MERGE_JOB, [{ recordingId }], { key: `merge:${recordingId}` });
  }

  private async merge(recordingId: string, stop: AbortSignal): Promise<void> {
    for (let run = await this.nextRun(recordingId); run; run = await this.nextRun(recordingId)) {
      stop.throwIfAborted();
      const merged = await this.parts.store(recordingId, run[0]!.start, Readable.from(this.read(run)));
      if (await this.replace(recordingId, run, { ...merged, level: run[0]!.level + 1 })) continue;
      await this.parts.drop(merged);
      return;
    }
  }

  private async nextRun(recordingId: string): Promise<Run | null> {
    const open = { recordingId, upload: { closedAt: IsNull() } };
    return mergeableRun(
      await this.dataSource.manager.find(UploadPart, { where: open, order: { start: 'ASC' } }),
    );
  }

  private async *read(run: Run): AsyncIterable<Uint8Array> {
    for (const { key } of run) yield* await this.objects.get(key);
  }

  /** Returns false if the upload has been closed, restarted or deleted, or another job has merged the same parts. */
  private async replace(
    recordingId: string,
    run: Run,
    merged: Omit<UploadPart, 'recordingId'>,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await this.statuses.lock(manager, recordingId);
      const keys = run.map(({ key }) => key);
      const old = { recordingId, key: In(keys) };
      const found = await manager.countBy(UploadPart, { ...old, upload: { closedAt: IsNull() } });
      if (found !== run.length) return false;
      await manager.delete(UploadPart, old);
      await manager.insert(UploadPart, { ...merged, recordingId });
      await this.media.discard(manager, keys, { afterMs: DISCARD_AFTER_MS });
      return true;
    });
  }
}

/** The first `FAN_IN` consecutive parts of one level that are small; null if there are none. */
function mergeableRun(parts: Run): Run | null {
  for (let begin = 0, end = 0; end < parts.length; end++) {
    const part = parts[end]!;
    if (part.size >= PART_SIZE) begin = end + 1;
    else if (part.level !== parts[begin]!.level) begin = end;
    if (end - begin + 1 === FAN_IN) return parts.slice(begin, end + 1);
  }
  return null;
}
