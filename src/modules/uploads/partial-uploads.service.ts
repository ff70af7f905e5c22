import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { objectsOf } from '../media/media.service.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { PartialUploadPart } from './entities/partial-upload-part.entity.js';
import { PartialUpload } from './entities/partial-upload.entity.js';
import { offsetMismatch, superseded } from './upload-refusals.js';
import { requireUploadSlot } from './upload-slots.js';
import type { NewPart } from './uploads.service.js';

const EXPIRE_JOB = 'uploads.expire-partial';

/** Pieces of a file that is uploaded in several at once. A trigger removes their objects unless an upload has taken them. */
@Injectable()
export class PartialUploadsService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
    private readonly jobs: JobsService,
    private readonly objects: ObjectStore,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ id: string }>(EXPIRE_JOB, ({ id }) => this.expire(id));
  }

  /** Whether the user has a partial upload with this id. */
  async has(userId: string, id: string): Promise<boolean> {
    return isUuid(id) && (await this.dataSource.manager.existsBy(PartialUpload, { id, userId }));
  }

  async create(
    userId: string,
    { id, size, metadata }: { id: string; size?: number; metadata?: string },
  ): Promise<PartialUpload> {
    const { maxOpenUploads } = this.settings;
    const activeAt = this.clock.now();
    await this.dataSource.transaction(async (manager) => {
      await requireUploadSlot(manager, userId, { maxOpenUploads, partial: true });
      await manager.insert(PartialUpload, { id, userId, size: size ?? null, metadata, activeAt });
      await this.watch(manager, id, activeAt);
      await this.requireRoom(manager, userId, size ?? 0);
    });
    return this.find(id);
  }

  async find(id: string): Promise<PartialUpload> {
    return this.found(await this.dataSource.manager.findOneBy(PartialUpload, { id }));
  }

  /** Commits stored parts, which acknowledges their bytes. */
  async append(id: string, turn: number, parts: readonly NewPart[]): Promise<PartialUpload> {
    return this.locked(id, async (manager, partial) => {
      if (turn < partial.turn) throw superseded();
      if (parts[0] && parts[0].start !== partial.received) throw offsetMismatch(partial);
      const added = parts.reduce((sum, { size }) => sum + size, 0);
      const received = partial.received + added;
      if (received > (partial.size ?? this.settings.maxUploadSize)) {
        throw new DomainError('PAYLOAD_TOO_LARGE', 'The partial upload has more bytes than declared.');
      }
      const changes = { received, turn, activeAt: this.clock.now() };
      await manager.insert(
        PartialUploadPart,
        parts.map((part) => ({ ...part, partialId: id })),
      );
      await manager.update(PartialUpload, { id }, changes);
      if (partial.size === null) await this.requireRoom(manager, partial.userId, added);
      return Object.assign(partial, changes);
    });
  }

  /** Sets the length of a partial upload that began without one. */
  async declareSize(id: string, size: number): Promise<PartialUpload> {
    return this.locked(id, async (manager, partial) => {
      if (partial.size !== null && partial.size !== size) {
        throw new DomainError('CONFLICT', `The declared size of this upload is ${partial.size} bytes.`);
      }
      if (size < partial.received) throw offsetMismatch(partial);
      await manager.update(PartialUpload, { id }, { size });
      await this.requireRoom(manager, partial.userId, size - partial.received);
      return Object.assign(partial, { size });
    });
  }

  async remove(id: string): Promise<void> {
    await this.locked(id, (manager) => manager.delete(PartialUpload, { id }));
  }

  private async expire(id: string): Promise<void> {
    const isOver = await this.dataSource.transaction(async (manager) => {
      const partial = await this.lock(manager, id);
      if (!partial) return true;
      const idleSince = this.clock.now().getTime() - this.settings.uploadIdleTimeout * 1000;
      const isIdle = partial.activeAt.getTime() <= idleSince;
      if (isIdle) await manager.delete(PartialUpload, { id });
      else await this.watch(manager, id, partial.activeAt);
      return isIdle;
    });
    if (isOver) await this.removeLeftovers(id);
  }

  /** Removes what processes that died have stored without acknowledging it. */
  private async removeLeftovers(id: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.objects.list(objectsOf(id))) keys.push(key);
    const used: { key: string }[] = await this.dataSource.query(
      'SELECT key FROM upload_parts WHERE key = ANY ($1::text[])',
      [keys],
    );
    const joined = new Set(used.map(({ key }) => key));
    await this.objects.delete(keys.filter((key) => !joined.has(key)));
  }

  private async watch(manager: EntityManager, id: string, activeAt: Date): Promise<void> {
    const runAt = new Date(activeAt.getTime() + this.settings.uploadIdleTimeout * 1000);
    await this.jobs.enqueue(manager, EXPIRE_JOB, [{ id }], { runAt });
  }

  /** Until they are joined, partial uploads count towards the quota of their user. */
  private async requireRoom(manager: EntityManager, userId: string, added: number): Promise<void> {
    const demand = { creates: false, added, ahead: 0 };
    await this.quotas.requireRoom(manager, { userId, organizationId: null }, demand);
  }

  private async locked<T>(
    id: string,
    work: (manager: EntityManager, partial: PartialUpload) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (manager) =>
      work(manager, this.found(await this.lock(manager, id))),
    );
  }

  private async lock(manager: EntityManager, id: string): Promise<PartialUpload | null> {
    return manager.findOne(PartialUpload, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  private found(partial: PartialUpload | null): PartialUpload {
    if (!partial) throw new DomainError('NOT_FOUND', 'There is no such partial upload.');
    return partial;
  }
}
