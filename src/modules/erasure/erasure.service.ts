import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import {
  IdempotencyClaims,
  type ReplySubjects,
} from '../../platform/idempotency/idempotency-claims.service.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { BATCH, ERASURES, type Subject } from './personal-data.js';

const JOB = 'erasure';

/** What was deleted, with what is needed to find what it has left elsewhere. */
export type Deleted =
  /** `email`: null if it is not verified, and so perhaps another person's. */
  | { readonly of: 'user'; readonly userId: string; readonly email: string | null }
  | { readonly of: 'member'; readonly organizationId: string; readonly userId: string }
  | { readonly of: 'recording'; readonly recordingIds: readonly string[] }
  | { readonly of: 'organization'; readonly organizationId: string }
  | { readonly of: 'webhook' };

interface ErasureJob {
  readonly of: Subject;
  /** What its statements need, by name. */
  readonly [value: string]: unknown;
}

/** The organizations or owners of deleted recordings, from the rows that the deletion has just logged. */
const SCOPES = `
  SELECT DISTINCT coalesce(organization_id, owner_id) AS id FROM change_log
  WHERE target_id = ANY ($1::uuid[]) AND type = 'recording.deleted' AND at > now() - interval '1 hour'
    AND coalesce(organization_id, owner_id) IS NOT NULL`;

/** After other jobs: sweeping a vocabulary takes long, and nobody can read what it deletes. */
const SWEEP_PRIORITY = 100;

/**
 * $1: ids; $2: when a reply with them was stored; $3: whose request it was. Others may have deleted something between the reading and
 * the storing of the reply; what the user deleted themselves is what the request did.
 */
const DELETED_SINCE = `
  SELECT EXISTS (
    SELECT FROM change_log WHERE target_id = ANY ($1::uuid[]) AND at > $2::timestamptz - interval '1 minute'
      AND type IN ('user.deleted', 'member.removed', 'recording.deleted', 'organization.deleted')
      AND (at > $2 OR actor_id IS DISTINCT FROM $3::uuid)) AS erased`;

/** Erases what deleted users, members, recordings and organizations have left in other rows: see `PERSONAL_DATA`. */
@Injectable()
export class ErasureService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly replies: IdempotencyClaims,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ErasureJob>(JOB, (job, stop) => this.run(job, stop));
    this.replies.withholdIf((subjects) => this.isErased(subjects));
  }

  /**
   * To be called in the transaction of the deletion, when nobody can write about it any more: with a user's row locked, with a
   * membership or recording deleted. The rest is done by a job.
   */
  async begin(manager: EntityManager, deleted: Deleted): Promise<void> {
    for (const { sql, values } of statementsOf(deleted.of, 'transaction'))
      // oxlint-disable-next-line service/static-sql -- A constant of `ERASURES`.
      await manager.query(sql, parametersOf(deleted, values));
    if (deleted.of === 'recording') return this.sweepAfter(manager, deleted.recordingIds);
    const rest = statementsOf(deleted.of, 'job');
    if (rest.length === 0) return;
    // Only what its statements need: a job that fails stays, and must not keep an email address.
    const needed = new Set(['of', ...rest.flatMap(({ values }) => values)]);
    const job = Object.fromEntries(Object.entries(deleted).filter(([name]) => needed.has(name)));
    await this.jobs.enqueue(manager, JOB, [job]);
  }

  /** One job for all recordings of a scope that are deleted while it waits. */
  private async sweepAfter(manager: EntityManager, recordingIds: readonly string[]): Promise<void> {
    const scopes: { id: string }[] = await manager.query(SCOPES, [recordingIds]);
    const jobs = scopes.map(({ id: scopeId }) => ({ of: 'recording', scopeId }) as const);
    const key = ({ scopeId }: { scopeId: string }): string => `${JOB}:${scopeId}`;
    if (jobs.length > 0) await this.jobs.enqueue(manager, JOB, jobs, { key, priority: SWEEP_PRIORITY });
  }

  /** Erases in batches what is left to jobs. */
  async run(job: ErasureJob, stop?: AbortSignal): Promise<void> {
    for (const { sql, values } of statementsOf(job.of, 'job')) {
      for (let erased = BATCH; erased >= BATCH;) {
        stop?.throwIfAborted();
        // oxlint-disable-next-line service/static-sql -- A constant of `ERASURES`.
        [, erased] = await this.dataSource.query<[unknown[], number]>(sql, parametersOf(job, values));
      }
    }
  }

  /** Whether a user, member, recording or organization among them has been deleted since. */
  private async isErased({ ids, userId, keptAt }: ReplySubjects): Promise<boolean> {
    const [row]: { erased: boolean }[] = await this.dataSource.query(DELETED_SINCE, [ids, keptAt, userId]);
    return row?.erased ?? false;
  }
}

const statementsOf = (subject: Subject, time: 'transaction' | 'job') =>
  ERASURES.filter(({ of, when }) => of === subject && when === time);

const parametersOf = (subject: ErasureJob, names: readonly string[]): unknown[] =>
  names.map((name) => subject[name]);
