import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { In, IsNull, type DataSource, type EntityManager } from 'typeorm';
import { isUuid } from '../../platform/ids.js';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import type { RecordingStatus } from '../../policy/recording-status.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import { UploadPart } from '../uploads/entities/upload-part.entity.js';
import { Upload } from '../uploads/entities/upload.entity.js';

/** What a packaging attempt starts from. */
export interface PackagingFacts {
  readonly id: string;
  readonly status: RecordingStatus;
  readonly mediaKey: string | null;
  readonly mediaType: string | null;
  readonly sourceKey: string | null;
  readonly packageKey: string | null;
  readonly statusReason: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly owner: JobOwner;
  /** Parts of the upload in order; empty when there is no upload. */
  readonly parts: readonly { readonly key: string; readonly size: number }[];
}

@Injectable()
export class PackagingRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Makes `attempt` the current one. An earlier attempt that is still running, because its worker only seemed dead,
   * notices and gives up. Null when the recording has been deleted or is already complete.
   */
  async begin(recordingId: string, attempt: string): Promise<PackagingFacts | null> {
    const { manager } = this.dataSource;
    const { affected } = await manager.update(
      Recording,
      [
        { id: recordingId, status: In(['PROCESSING', 'MIGRATING']) },
        { id: recordingId, packageKey: IsNull() },
      ],
      { packagingId: attempt },
    );
    if (affected === 0) return null;
    const row = await manager.findOneBy(Recording, { id: recordingId });
    if (!row) return null;
    const parts = await manager.find(UploadPart, { where: { recordingId }, order: { start: 'ASC' } });
    const { id, status, mediaKey, mediaType, sourceKey, packageKey } = row;
    const { statusReason, startedAt, endedAt } = row;
    const media = { mediaKey, mediaType, sourceKey, packageKey };
    const owner = { userId: row.ownerId, organizationId: row.organizationId };
    return { id, status, ...media, statusReason, startedAt, endedAt, owner, parts };
  }

  /** Whether `attempt` is current: the recording exists, and no other attempt has begun. */
  async isCurrent(
    recordingId: string,
    attempt: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    return manager.existsBy(Recording, { id: recordingId, packagingId: attempt });
  }

  /** The subset of these packaging and transcription attempts that is current. */
  async currentAmong(attempts: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT packaging_id AS id FROM recordings WHERE packaging_id = ANY ($1::uuid[])
       UNION ALL SELECT attempt_id FROM transcripts WHERE attempt_id = ANY ($1::uuid[])`,
      [attempts.filter(isUuid)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Stores the attempt's progress unless it is null, and returns whether `attempt` is current. */
  async progress(recordingId: string, attempt: string, progress: number | null): Promise<boolean> {
    if (progress === null) return this.isCurrent(recordingId, attempt);
    const { affected } = await this.dataSource.manager.update(
      Recording,
      [
        { id: recordingId, packagingId: attempt, status: 'PROCESSING' },
        // Only the source is playable yet.
        { id: recordingId, packagingId: attempt, status: 'MIGRATING', packageKey: IsNull() },
      ],
      { progress },
    );
    return affected !== 0 || this.isCurrent(recordingId, attempt);
  }

  /** What there is of a recording: any bytes to package, and a package. */
  async findStored(
    manager: EntityManager,
    recordingId: string,
  ): Promise<{ readonly media: boolean; readonly package: boolean }> {
    const [row]: { media: boolean; package: boolean }[] = await manager.query(
      `SELECT media_key IS NOT NULL OR source_key IS NOT NULL
              OR EXISTS (SELECT FROM upload_parts WHERE recording_id = r.id) AS media,
              package_key IS NOT NULL AS package
       FROM recordings r WHERE id = $1`,
      [recordingId],
    );
    return row ?? { media: false, package: false };
  }

  /** Whether it is an upload whose source has been published, but no package. */
  async isSourceOnly(manager: EntityManager, recordingId: string): Promise<boolean> {
    const rows: object[] = await manager.query(
      `SELECT FROM recordings r WHERE id = $1 AND media_key IS NOT NULL AND package_key IS NULL
         AND EXISTS (SELECT FROM upload_parts WHERE recording_id = r.id)`,
      [recordingId],
    );
    return rows.length > 0;
  }

  /** Ends the upload at the bytes received so far. */
  async closeUpload(manager: EntityManager, recordingId: string): Promise<void> {
    await manager.query(
      `UPDATE uploads SET size = received, closed_at = COALESCE(closed_at, now()) WHERE recording_id = $1`,
      [recordingId],
    );
  }

  /** Deletes the rows of an upload that has become a recording, and returns the keys of its parts. */
  async takeParts(manager: EntityManager, recordingId: string): Promise<string[]> {
    const parts = await manager.findBy(UploadPart, { recordingId });
    await manager.delete(Upload, { recordingId });
    return parts.map(({ key }) => key);
  }
}
