import type { WholeFile } from './upload-receiver.service.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, type Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { conflict, required } from '../../contract/domain-error.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { isUuid } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { statusAfter } from '../../policy/recording-status.js';
import type { QuotaDemand } from '../../policy/plans.js';
import type { Asker } from '../../policy/reach.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { type OwnedStatus, RecordingStatusService } from '../recordings/access/recording-status.service.js';
import { recordingOf, Upload, UploadPart } from './entities/upload.entity.js';
import { type OpenUpload, UploadEndingService } from './upload-ending.service.js';
import { accepted, closed, NO_UPLOAD, offsetMismatch, superseded, wrongSize } from './upload-refusals.js';
import { type Caller, changedBy, type ChangedBy } from '../../policy/caller.js';
import { findRecordingOf, nextClaim } from './uploads.queries.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

/** A part that is in the object store but not yet committed. */
export type NewPart = Pick<UploadPart, 'start' | 'size' | 'key'>;

const CLOSE_JOB = 'uploads.close-idle';

type Change<T> = (manager: EntityManager, open: OpenUpload) => Promise<T>;

/** The state of uploads. Each change is one transaction that locks the recording's row first. */
@Injectable()
export class UploadsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Upload) private readonly rows: Repository<Upload>,
    @InjectRepository(UploadPart) private readonly parts: Repository<UploadPart>,
    private readonly access: RecordingAccessService,
    private readonly statuses: RecordingStatusService,
    private readonly ending: UploadEndingService,
    private readonly quotas: QuotasService,
    private readonly jobs: JobsService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ recordingId: string }>(CLOSE_JOB, ({ recordingId }) => this.closeIdle(recordingId));
  }

  url(recordingId: string): string {
    return this.publicUrl.resolve(`/api/v1/uploads/${recordingId}`);
  }

  /** The state of an upload; 404 when the recording has none, or no longer has one. */
  async find(recordingId: string): Promise<Upload> {
    return required(await this.findOpen(recordingId), 'NOT_FOUND', NO_UPLOAD);
  }

  /** The same, or null. */
  async findOpen(recordingId: string): Promise<Upload | null> {
    return this.rows.findOneBy({ recordingId, statusReason: IsNull() });
  }

  /** Returns the recording whose upload this is, or whose track's; the same id if there is neither. */
  async recordingOf(id: string): Promise<string> {
    return isUuid(id) ? findRecordingOf(this.dataSource.manager, id) : id;
  }

  async findFirstParts(recordingId: string, take: number): Promise<UploadPart[]> {
    return this.parts.find({ where: { recordingId }, order: { start: 'ASC' }, take });
  }

  /**
   * Returns the position of a request among all that send bytes. To be called when it arrives: if it is then delayed
   * and its client reconnects, it still ranks as the earlier of the two.
   */
  claim(): Promise<number> {
    return nextClaim(this.dataSource.manager);
  }

  /** Finds the upload for a request that sends bytes, whose changes are refused after those of a later claim. */
  async begin(recordingId: string, claim: number, sender?: Caller): Promise<Upload> {
    return Object.assign(await this.find(recordingId), { claim, sender });
  }

  /**
   * Commits a stored part, which acknowledges its bytes; 409 unless it continues from those received so far. The last
   * byte closes the upload and enqueues packaging in the same transaction. `isLast`: this part has it, of an upload
   * without a length.
   */
  async append(begun: Upload, part: NewPart, mediaType: string | null, isLast = false): Promise<Upload> {
    const { recordingId, claim } = begun;
    const advanced = await this.change(begun, async (manager, open) => {
      const { upload } = open;
      if (part.start !== upload.received) throw offsetMismatch(upload);
      const received = upload.received + part.size;
      if (upload.size !== null && received > upload.size) throw wrongSize('PAYLOAD_TOO_LARGE', upload);
      const size = isLast ? received : upload.size;
      const changes = { received, size, claim, mediaType, activeAt: this.clock.now() };
      await manager.getRepository(UploadPart).insert({ ...part, recordingId });
      await manager.getRepository(Upload).update({ recordingId }, changes);
      await this.requireRoom(manager, open, { added: part.size }, begun.sender);
      return this.ending.advance(manager, open, Object.assign(upload, changes, { sender: begun.sender }));
    });
    return accepted(advanced);
  }

  /** Sets the length of an upload that began without one; if all bytes have already arrived, this closes it. */
  async declareSize(begun: Upload, size: number): Promise<Upload> {
    const { recordingId } = begun;
    const advanced = await this.change(begun, async (manager, open) => {
      const { upload } = open;
      if (upload.size !== null && upload.size !== size) throw wrongSize('CONFLICT', upload);
      if (size < upload.received) throw offsetMismatch(upload);
      await manager.getRepository(Upload).update({ recordingId }, { size });
      await this.requireRoom(manager, open, { added: size - upload.received }, begun.sender);
      return this.ending.advance(manager, open, Object.assign(upload, { size }));
    });
    return accepted(advanced);
  }

  /**
   * Discards the bytes received so far, as a whole file is about to arrive. Earlier requests are refused from now on;
   * so is this one if a later one was faster, its connection `isGone`, or the quota has no room for the file.
   */
  async restart(
    recordingId: string,
    claim: number,
    { length, minLength = length, isGone, sender }: Partial<WholeFile> = {},
  ): Promise<Upload> {
    return this.locked({ recordingId, sender }, async (manager, open) => {
      const { upload } = open;
      await this.requireSender(manager, { ...upload, sender });
      if (claim < upload.claim) throw superseded();
      // The bytes would be discarded for a file that will never arrive.
      if (isGone?.()) throw conflict('The connection was closed before the file was read.');
      if (upload.received > 0) await this.ending.discardParts(manager, recordingId);
      const generation = upload.generation + 1;
      const changes = { received: 0, generation, claim, mediaType: null, activeAt: this.clock.now() };
      // The file may have changed since.
      if (upload.fetched) Object.assign(changes, { size: null });
      await manager.getRepository(Upload).update({ recordingId }, changes);
      await this.requireRoom(manager, open, { ahead: minLength }, sender);
      return Object.assign(upload, changes, { sender });
    });
  }

  /** Ends an upload that cannot become a recording: sets `ERROR` with the reason, and removes its bytes. */
  async refuse(begun: Upload, reason: string): Promise<void> {
    await this.change(begun, (manager, open) => this.ending.fail(manager, open, reason));
  }

  /** Ends an upload even while a request is sending bytes; its recording goes unless it existed before. 409 under legal hold. */
  async cancel(upload: Pick<Upload, 'recordingId' | 'trackOf'>, by: ChangedBy): Promise<void> {
    await this.locked({ ...upload, sender: by }, (manager, open) => this.ending.cancel(manager, open, by));
  }

  /** Closes the first upload of a recording, in the transaction that ends the recording. */
  async close(manager: EntityManager, recordingId: string): Promise<void> {
    await manager.getRepository(Upload).update({ recordingId, added: false }, { closedAt: this.clock.now() });
  }

  /** Schedules the idle check of an upload, in the transaction that creates it. */
  async watchIdle(manager: EntityManager, recordingId: string, activeAt: Date): Promise<void> {
    const runAt = new Date(activeAt.getTime() + this.settings.uploadIdleTimeout * 1000);
    await this.jobs.enqueue(manager, CLOSE_JOB, [{ recordingId }], { runAt });
  }

  /** Closes an upload that has been idle for too long: what has arrived is processed as if it were complete. */
  private async closeIdle(recordingId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const locked = await this.statuses.lockOwned(manager, await findRecordingOf(manager, recordingId));
      const open = locked && (await findOpen(manager, recordingId, locked));
      if (!open) return;
      const { upload } = open;
      const idleSince = this.clock.now().getTime() - this.settings.uploadIdleTimeout * 1000;
      if (upload.activeAt.getTime() > idleSince) {
        await this.watchIdle(manager, recordingId, upload.activeAt);
      } else if (upload.received === 0) {
        await this.ending.fail(manager, open, 'No data was uploaded in time.');
      } else {
        await manager.getRepository(Upload).update({ recordingId }, { size: upload.received });
        await this.ending.advance(manager, open, Object.assign(upload, { size: upload.received }));
      }
    });
  }

  /** Changes the upload, unless it was restarted since the request read it, or a later claim has sent bytes. */
  async change<T>(begun: Upload, work: Change<T>): Promise<T> {
    const { generation, claim } = begun;
    return this.locked(begun, async (manager, open) => {
      if (open.upload.generation !== generation || claim < open.upload.claim) throw superseded();
      await this.requireSender(manager, begun);
      return work(manager, open);
    });
  }

  /** A request may take hours, in which its sender may have left the organization, or the recording may have moved. */
  private async requireSender(
    manager: EntityManager,
    upload: Pick<Upload, 'recordingId' | 'trackOf' | 'sender'>,
  ): Promise<void> {
    const { sender } = upload;
    if (sender !== undefined) await this.access.requireEditWithin(manager, sender, recordingOf(upload));
  }

  /** Without a sender, the service itself changes the upload. */
  private async locked<T>(
    upload: Pick<Upload, 'recordingId'> & { readonly trackOf?: string | null; readonly sender?: ChangedBy },
    work: Change<T>,
  ): Promise<T> {
    const { recordingId, trackOf, sender } = upload;
    const source = sender ? changedBy(sender) : ({ kind: 'service' } as const);
    return transactionBy(this.dataSource, source, async (manager) => {
      const belongsTo =
        trackOf === undefined ? await findRecordingOf(manager, recordingId) : (trackOf ?? recordingId);
      const locked = required(await this.statuses.lockOwned(manager, belongsTo), 'RECORDING_NOT_FOUND');
      const open = await findOpen(manager, recordingId, locked);
      if (!open) throw closed();
      return work(manager, open);
    });
  }

  /** Counts bytes of an upload that was created without a size; others have been counted since then. */
  private async requireRoom(
    manager: EntityManager,
    { upload, owner }: OpenUpload,
    { added = 0, ahead = 0 }: Partial<QuotaDemand>,
    sender?: Asker,
  ): Promise<void> {
    if (upload.size !== null) return;
    await this.quotas.requireRoom(manager, owner, { creates: false, added, ahead }, sender);
  }
}

/** Finds the upload of a locked recording; null when it is closed. */
async function findOpen(
  manager: EntityManager,
  recordingId: string,
  locked: OwnedStatus,
): Promise<OpenUpload | null> {
  const upload = await manager.getRepository(Upload).findOneBy({ recordingId, closedAt: IsNull() });
  if (!upload) return null;
  return upload.added || statusAfter(locked.status, 'bytes') !== null ? { ...locked, upload } : null;
}
