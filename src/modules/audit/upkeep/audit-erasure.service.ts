import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { JobsService } from '../../../platform/jobs/jobs.service.js';

const JOB = 'audit.erase';
const BATCH = 1_000;
/** For what requests of the user that were running write after the deletion. */
const AGAIN_MS = 3_600_000;

/** The addresses that the user's requests came from. */
const ERASE_ADDRESSES = `
  UPDATE personal_details d SET value = NULL, salt = NULL
  FROM (SELECT at, change_id, kind FROM personal_details WHERE user_id = $1 AND value IS NOT NULL LIMIT ${BATCH}) AS old
  WHERE d.at = old.at AND d.change_id = old.change_id AND d.kind = old.kind`;

/** Where the user's email address was invited. */
const ERASE_EMAILS = `
  UPDATE personal_details d SET value = NULL, salt = NULL
  FROM (SELECT at, change_id, kind FROM personal_details WHERE kind = 'email' AND lower(value) = lower($1) LIMIT ${BATCH}) AS old
  WHERE d.at = old.at AND d.change_id = old.change_id AND d.kind = old.kind`;

interface ErasedUser {
  readonly id: string;
  /** Null if it was not verified. */
  readonly email: string | null;
}

/** Erases what the log knows of a deleted user. The commitments remain, so that the seals stay valid; the name went with the user. */
@Injectable()
export class AuditErasureService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ErasedUser>(JOB, (user, stop) => this.erase(user, stop));
  }

  /** To be called in the transaction that deletes the user. */
  async schedule(manager: EntityManager, { id, email }: ErasedUser): Promise<void> {
    await this.jobs.enqueue(manager, JOB, [{ id, email }]);
    await this.jobs.enqueue(manager, JOB, [{ id, email }], { runAt: new Date(Date.now() + AGAIN_MS) });
  }

  private async erase({ id, email }: ErasedUser, stop: AbortSignal): Promise<void> {
    await this.repeat(ERASE_ADDRESSES, id, stop);
    if (email !== null) await this.repeat(ERASE_EMAILS, email, stop);
  }

  private async repeat(sql: string, value: string, stop: AbortSignal): Promise<void> {
    for (let erased = BATCH; erased === BATCH;) {
      stop.throwIfAborted();
      [, erased] = await this.dataSource.query<[unknown[], number]>(sql, [value]);
    }
  }
}
