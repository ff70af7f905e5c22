import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import { conflict, DomainError, invalid, required } from '../../contract/domain-error.js';
import { hasScopes, type Scope } from '../../contract/scopes.js';
import { bytesText } from '../../lib/amounts.js';
import { DAY_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { isUuid, newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { UrlSigner } from '../../platform/secrets/url-signer.js';
import { ObjectMissingError, ObjectStore } from '../../platform/storage/object-store.js';
import { changedBy, viewerOf, withoutKey, type Caller, type Viewer } from '../../policy/caller.js';
import { reachesAll, reachesOrganization } from '../../policy/reach.js';
import { requireReachOfAll } from '../api-keys/public/key-requirements.js';
import { matchesEtag, sendNotModified, setFileHeaders } from '../media/public/file-headers.js';
import { sendObject } from '../media/public/send-object.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { isOwner } from '../organizations/public/organization-requirements.queries.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { lockUser } from '../users/public/users.queries.js';
import { EXPORT_LIMITS } from './export-limits.js';
import { Export, objectOf, type ExportKind } from './entities/export.entity.js';
import type { CreateExportDto } from './exports.dto.js';
import { deleteExportsOf, measure } from './exports.queries.js';
import { SWEEP_EXPORTS, WRITE_ATTEMPTS, WRITE_EXPORT } from './export-writer.service.js';

const TO_EXPORT_RECORDINGS = ['exports', 'recordings:read', 'transcripts:read'] as const;

/** What an API key needs to request an export, and to read it afterwards. */
export const TO_EXPORT = {
  recording: TO_EXPORT_RECORDINGS,
  user: [...TO_EXPORT_RECORDINGS, 'profile:read', 'organizations:read', 'keys:manage'],
  organization: [...TO_EXPORT_RECORDINGS, 'organizations:read'],
} as const satisfies Readonly<Record<ExportKind, readonly Scope[]>>;

export interface ReadableExport extends Export {
  readonly downloadUrl: string | null;
}

/** Requests, lists and delivers exports; `ExportWriterService` writes them. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly transactions: OrganizationTransactions,
    private readonly jobs: JobsService,
    private readonly objects: ObjectStore,
    private readonly signer: UrlSigner,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** For anyone who sees the recording: 404 `RECORDING_NOT_FOUND` for others. 409 `CONFLICT`: too many exports. */
  async exportRecording(caller: Caller, recordingId: string): Promise<ReadableExport> {
    const { row } = await this.access.requireReadable(caller, recordingId);
    return transactionBy(this.dataSource, changedBy(caller), (manager) =>
      this.create(manager, caller, { kind: 'recording', recordingId: row.id }, {}),
    );
  }

  /** 403 `FORBIDDEN` for a key that is limited to organizations. 409 `CONFLICT`: too many exports or recordings. */
  async exportUser(caller: Caller, period: CreateExportDto): Promise<ReadableExport> {
    requireReachOfAll(caller, 'export all that you have');
    return transactionBy(this.dataSource, changedBy(caller), (manager) =>
      this.create(manager, caller, { kind: 'user' }, period),
    );
  }

  /** For an OWNER: 404 `ORGANIZATION_NOT_FOUND` or 403 `FORBIDDEN` for others. 409 as above. */
  async exportOrganization(
    caller: Caller,
    organizationId: string,
    period: CreateExportDto,
  ): Promise<ReadableExport> {
    return this.transactions.own(caller, organizationId, (manager, { id }) =>
      this.create(manager, caller, { kind: 'organization', organizationId: id }, period),
    );
  }

  /** The caller's own, newest first, that the key of the request could have requested. */
  async list(caller: Caller): Promise<readonly ReadableExport[]> {
    const where = { userId: caller.id, expiresAt: MoreThan(this.clock.now()) };
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const rows = await this.dataSource.getRepository(Export).find({ where, order });
    const readable: ReadableExport[] = [];
    for (const row of rows) if (await this.mayRead(viewerOf(caller), row)) readable.push(this.withUrl(row));
    return readable;
  }

  /** 404 `EXPORT_NOT_FOUND`, also for an export of somebody else. */
  async get(caller: Caller, id: string): Promise<ReadableExport> {
    const found = (await this.list(caller)).find((one) => one.id === id.toLowerCase());
    return required(found, 'EXPORT_NOT_FOUND');
  }

  /** Deletes it, and ends the job that writes it. 404 `EXPORT_NOT_FOUND`. */
  async delete(caller: Caller, id: string): Promise<void> {
    const { attemptId, ...found } = await this.get(caller, id);
    await this.dataSource.getRepository(Export).delete({ id: found.id });
    if (attemptId) await this.objects.delete([objectOf({ id: found.id, attemptId })]);
  }

  /**
   * Deletes those that may contain a person who is erased from an organization, or with null from everything; a job removes
   * their files once `manager` has committed.
   */
  async deleteOf(manager: EntityManager, organizationId: string | null): Promise<void> {
    await deleteExportsOf(manager, organizationId);
    await this.jobs.enqueue(manager, SWEEP_EXPORTS, [{}]);
  }

  /** Sends the file at a signed URL. 403 `FORBIDDEN` when that has expired; 404 `EXPORT_NOT_FOUND`. */
  async send(id: string, response: Response): Promise<void> {
    if (!this.signer.verify(response.req.originalUrl, this.clock.now()))
      throw new DomainError('FORBIDDEN', 'This URL has expired or was altered. Request a new one.');
    const row = isUuid(id)
      ? await this.dataSource.getRepository(Export).findOneBy({ id, status: 'completed' })
      : null;
    if (!row || !(await this.mayRead(withoutKey(row.userId), row))) throw new DomainError('EXPORT_NOT_FOUND');
    setFileHeaders(response, {
      type: 'application/zip',
      disposition: 'attachment',
      fileName: `export-${row.createdAt.toISOString().slice(0, 10)}.zip`,
      etag: `"${row.sha256}"`,
    });
    if (matchesEtag(response)) return sendNotModified(response);
    try {
      await sendObject(this.objects, objectOf(row), response);
    } catch (error) {
      // Removed at this moment, or not in the backup that was restored.
      throw error instanceof ObjectMissingError
        ? new DomainError('EXPORT_NOT_FOUND', undefined, { cause: error })
        : error;
    }
  }

  private async create(
    manager: EntityManager,
    { id: userId }: Caller,
    of: Pick<Export, 'kind'> & Partial<Pick<Export, 'recordingId' | 'organizationId'>>,
    period: CreateExportDto,
  ): Promise<ReadableExport> {
    const exports = manager.getRepository(Export);
    const createdAt = this.clock.now();
    const scope = { recordingId: null, organizationId: null, userId, ...of, ...readPeriod(period) };
    await lockUser(manager, userId);
    if ((await exports.countBy({ userId, expiresAt: MoreThan(createdAt) })) >= EXPORT_LIMITS.perUser)
      throw conflict(`You have ${EXPORT_LIMITS.perUser} exports. Delete one, or wait until one expires.`);
    const { recordings, bytes } = await measure(manager, scope);
    if (recordings > EXPORT_LIMITS.recordings || bytes > EXPORT_LIMITS.gigabytes * 1e9)
      throw conflict(
        `These are ${recordings} recordings of ${bytesText(bytes)}; an export has at most ${EXPORT_LIMITS.recordings} of ${EXPORT_LIMITS.gigabytes} GB. Export them in parts, by created_from and created_to.`,
      );
    const expiresAt = new Date(createdAt.getTime() + EXPORT_LIMITS.days * DAY_MS);
    const id = newId();
    await exports.insert({ ...scope, id, status: 'queued', progress: 0, createdAt, expiresAt });
    await this.jobs.enqueue(manager, WRITE_EXPORT, [{ exportId: id }], {
      key: id,
      owner: { userId, organizationId: null },
      afterOwn: true,
      maxAttempts: WRITE_ATTEMPTS,
    });
    return this.withUrl(await exports.findOneByOrFail({ id }));
  }

  /** Whether this viewer, who has requested the export, may still read what it has. */
  private async mayRead(viewer: Viewer, { kind, recordingId, organizationId }: Export): Promise<boolean> {
    const { manager } = this.dataSource;
    if (!hasScopes(viewer.scopes, TO_EXPORT[kind])) return false;
    if (recordingId !== null)
      return (await this.access.findVisible(manager, viewer, [recordingId])).has(recordingId);
    if (organizationId === null) return reachesAll(viewer);
    if (viewer.folderIds !== null || !reachesOrganization(viewer, organizationId)) return false;
    return isOwner(manager, organizationId, viewer.id);
  }

  private withUrl(row: Export): ReadableExport {
    const signed =
      row.status === 'completed' && this.signer.sign(`/exports/${row.id}/file`, {}, row.expiresAt);
    return { ...row, downloadUrl: signed ? this.publicUrl.resolve(signed) : null };
  }
}

const timeOf = (given = ''): Date | null => parseTimestamp(given)?.date ?? null;

function readPeriod(period: CreateExportDto): Pick<Export, 'createdFrom' | 'createdTo'> {
  const createdFrom = timeOf(period.created_from);
  const createdTo = timeOf(period.created_to);
  if (createdFrom && createdTo && createdTo <= createdFrom)
    throw invalid('created_to must be after created_from');
  return { createdFrom, createdTo };
}
