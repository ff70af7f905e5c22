import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { zipOf, type ZippedFile } from '../../lib/zip.js';
import { Clock } from '../../platform/clock/clock.js';
import { newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { DiskFullError, DiskSpace } from '../../platform/storage/disk-space.js';
import {
  ObjectStore,
  StoreUnavailableError,
  type StoredObject,
} from '../../platform/storage/object-store.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { presentListedApiKey } from '../api-keys/public/api-key.response.dto.js';
import { isOwner } from '../organizations/public/organization-requirements.queries.js';
import { UsersService } from '../users/users.service.js';
import { WorkspaceWriter, type WrittenFiles } from '../workspace/public/workspace-writer.js';
import { EXPORT_LIMITS } from './export-limits.js';
import { Export, EXPORT_OBJECTS, objectOf } from './entities/export.entity.js';
import { ExportContentsService, json, type LeftOut } from './export-contents.service.js';
import { findMemberships, findRecordingIds, findVoices } from './exports.queries.js';

export const WRITE_EXPORT = 'exports.write';
export const SWEEP_EXPORTS = 'exports.sweep';
/** A restart of the worker uses one up, too. */
export const WRITE_ATTEMPTS = 5;
const FULL = 'The storage of the service is full. Request the export again when there is room.';
const NOT_OWNER = 'Only an OWNER can export an organization.';
const EXHAUSTED = 'The export could not be written. Request it again.';

/** The export was deleted, or another attempt has begun. */
class SupersededExportError extends Error {}

/** Writes exports as streams into the object store, in a lane of their own, and removes what is left of old ones. */
@Injectable()
export class ExportWriterService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly contents: ExportContentsService,
    private readonly users: UsersService,
    private readonly apiKeys: ApiKeysService,
    private readonly objects: ObjectStore,
    private readonly disk: DiskSpace,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ exportId: string }>(WRITE_EXPORT, ({ exportId }, stop) => this.write(exportId, stop), {
      lane: 'export',
      onExhausted: (exportId) => this.fail(exportId, null, EXHAUSTED),
    });
    this.jobs.handle(SWEEP_EXPORTS, () => this.sweep(), { schedule: '23 * * * *' });
  }

  /** Removes expired exports, and objects of which there is no export any more. */
  async sweep(): Promise<void> {
    await this.exports
      .createQueryBuilder()
      .delete()
      .where('expires_at <= :now', { now: this.clock.now() })
      .execute();
    for await (const { key } of this.objects.list(EXPORT_OBJECTS)) {
      const [, id, attemptId] = /^exports\/([^/]+)\/([^/]+)\.zip$/.exec(key) ?? [];
      if (!id || !(await this.exports.existsBy({ id, attemptId }))) await this.objects.delete([key]);
    }
  }

  private get exports() {
    return this.dataSource.getRepository(Export);
  }

  /** One attempt, which starts anew, under a key of its own. */
  private async write(id: string, stop: AbortSignal): Promise<void> {
    const before = await this.exports.findOneBy({ id });
    if (!before || before.status === 'completed' || before.status === 'failed') return;
    const { userId, organizationId } = before;
    if (organizationId !== null && !(await isOwner(this.dataSource.manager, organizationId, userId)))
      return this.fail(id, null, NOT_OWNER);
    const attempt = { ...before, attemptId: newId() };
    await this.exports.update({ id }, { status: 'running', progress: 0, attemptId: attempt.attemptId });
    if (before.attemptId) await this.objects.delete([objectOf(before)]);
    try {
      const { size, sha256 } = await this.store(attempt, stop);
      const expiresAt = new Date(this.clock.now().getTime() + EXPORT_LIMITS.days * DAY_MS);
      await this.update(attempt, { status: 'completed', progress: 1, size, sha256, expiresAt });
    } catch (error) {
      await this.objects.delete([objectOf(attempt)]);
      if (error instanceof SupersededExportError) return;
      if (!isFull(error)) throw error;
      await this.fail(id, attempt.attemptId, FULL);
    }
  }

  private async store(attempt: Export, stop: AbortSignal): Promise<StoredObject> {
    const archive = zipOf(this.filesOf(attempt), stop);
    try {
      return await this.objects.put(objectOf(attempt), archive);
    } finally {
      archive.destroy();
    }
  }

  private async *filesOf(attempt: Export): AsyncGenerator<ZippedFile> {
    const { manager } = this.dataSource;
    const { userId } = attempt;
    const ids = await findRecordingIds(manager, attempt);
    const included = new Map<string, WrittenFiles>();
    const leftOut: LeftOut[] = [];
    for (const [index, recordingId] of ids.entries()) {
      await this.disk.requireRoom();
      const files = yield* this.contents.filesOf(userId, recordingId, leftOut);
      if (files) included.set(recordingId, files);
      await this.update(attempt, { progress: (index + 1) / (ids.length + 1) });
    }
    if (attempt.kind === 'user') yield { path: 'profile.json', content: json(await this.profileOf(userId)) };
    if (attempt.organizationId) yield* this.voicesOf(attempt.organizationId);
    const workspace = new WorkspaceWriter(manager, attempt, included);
    yield { path: 'workspace.json', content: Readable.from(workspace.json()) };
    if (leftOut.length > 0) yield { path: 'report.json', content: json({ leftOut }) };
  }

  private async *voicesOf(organizationId: string): AsyncGenerator<ZippedFile> {
    for (let page = 1; ; page++) {
      const voices = await findVoices(this.dataSource.manager, organizationId, page);
      if (voices.length === 0) return;
      yield { path: `voices/${page}.json`, content: json(voices) };
    }
  }

  private async profileOf(userId: string): Promise<object> {
    const { id, email, emailVerified, name, plan, createdAt } = await this.users.get(userId);
    return {
      user: { id, email, emailVerified, name, plan, createdAt },
      organizations: await findMemberships(this.dataSource.manager, id),
      apiKeys: (await this.apiKeys.list(id, { id })).map(presentListedApiKey),
    };
  }

  /** Changes the export as long as this attempt is the current one. */
  private async update({ id, attemptId }: Export, changes: Partial<Export>): Promise<void> {
    const { affected } = await this.exports.update({ id, attemptId: attemptId!, status: 'running' }, changes);
    if (affected === 0) throw new SupersededExportError();
  }

  private async fail(id: string, attemptId: string | null, statusReason: string): Promise<void> {
    const current = attemptId === null ? {} : { attemptId };
    const where = { id, status: In(['queued', 'running']), ...current };
    await this.exports.update(where, { status: 'failed', statusReason, attemptId: null });
  }
}

function isFull(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return error instanceof DiskFullError || (error instanceof StoreUnavailableError && code === 'ENOSPC');
}
