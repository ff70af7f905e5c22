import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager, LessThan } from 'typeorm';
import { conflict, invalid, required } from '../../contract/domain-error.js';
import { HOUR_MS } from '../../lib/durations.js';
import { counted } from '../../lib/text.js';
import { Clock } from '../../platform/clock/clock.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { isUuid, newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { changedBy } from '../../policy/caller.js';
import type { Manager } from '../../policy/management.js';
import { requireWholeOrganizations } from '../../policy/reach.js';
import { countTraces, type Person } from '../erasure/public/person.queries.js';
import { requireNotHeld } from '../legal-holds/public/held.queries.js';
import { DeparturesService } from '../organizations/members/departures.service.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { requireRole } from '../organizations/public/organization-requirements.queries.js';
import { UsersService } from '../users/users.service.js';
import { findUserByEmail } from '../users/public/users.queries.js';
import { ERASURE_LIMITS } from './erasure-limits.js';
import { Erasure } from './entities/erasure.entity.js';
import { ERASURE_JOB, type ErasureRun } from './erasure-run.service.js';
import type { CreateErasureDto } from './erasure.dto.js';
import { countWords, findConcerned, findMemberships, findTexts, isKnownTo } from './erasures.queries.js';

const WHAT = 'erase people';
const EXPIRE_JOB = 'erasures.expire';

/** Erasures of people: what would go is shown first; then it goes, in a job. */
@Injectable()
export class ErasuresService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(EXPIRE_JOB, () => this.expire(), { schedule: '37 * * * *' });
  }

  /** Deletes old previews: nobody confirms them any more, and they say who it was about. */
  async expire(): Promise<void> {
    const until = new Date(this.clock.now().getTime() - ERASURE_LIMITS.previewHours * HOUR_MS);
    const where = { status: 'previewed', createdAt: LessThan(until) } as const;
    await this.dataSource.getRepository(Erasure).delete(where);
  }

  /** Finds what an erasure would do. 400 `VALIDATION_ERROR` if it names nobody; 403 `FORBIDDEN` unless for an OWNER. */
  async preview(who: Manager, organizationId: string | null, asked: CreateErasureDto): Promise<Erasure> {
    if (organizationId !== null) await this.requireOwner(who, organizationId);
    const { manager } = this.dataSource;
    const person = { ...(await this.findPerson(organizationId?.toLowerCase() ?? null, asked)), id: newId() };
    const erasure: Erasure = {
      ...person,
      createdAt: this.clock.now(),
      createdBy: who.id,
      status: 'previewed',
      statusReason: null,
      preview: await previewOf(manager, person),
      receipt: null,
    };
    await manager.getRepository(Erasure).insert(erasure);
    return erasure;
  }

  /** 404 `NOT_FOUND` if the organization has no such erasure; one that was not run is kept for a day. */
  async get(who: Manager, organizationId: string, id: string): Promise<Erasure> {
    await this.requireOwner(who, organizationId);
    const where = { id, organizationId };
    const found = isUuid(id) && (await this.dataSource.getRepository(Erasure).findOneBy(where));
    return required(found, 'NOT_FOUND', 'Erasure not found.');
  }

  find(id: string): Promise<Erasure> {
    return this.dataSource.getRepository(Erasure).findOneByOrFail({ id });
  }

  /**
   * Begins the erasure, or goes on with one that has failed. 409 `CONFLICT` if it is completed, if it meets many
   * recordings, of which `confirmed` is not the number, or if the last OWNER of an organization would go; 409
   * `LEGAL_HOLD`, or `CONFLICT`, while one of the recordings has to be kept. `runAt`: when a worker goes on with it.
   */
  async run(
    who: Manager,
    { id, organizationId }: Pick<Erasure, 'id' | 'organizationId'>,
    confirmed: number | undefined,
    runAt?: Date,
  ): Promise<Erasure> {
    const work = (manager: EntityManager): Promise<Erasure> =>
      this.begin(manager, who, id, { confirmed, runAt });
    return organizationId === null
      ? transactionBy(this.dataSource, changedBy(who), work)
      : this.transactions.own(who, organizationId, work);
  }

  private async begin(
    manager: EntityManager,
    who: Manager,
    id: string,
    { confirmed, runAt }: { readonly confirmed: number | undefined; readonly runAt: Date | undefined },
  ): Promise<Erasure> {
    const erasures = manager.getRepository(Erasure);
    const erasure = await erasures.findOneOrFail({ where: { id }, lock: { mode: 'for_no_key_update' } });
    const { status } = erasure;
    if (status === 'running') return erasure;
    if (status === 'completed') throw conflict('This erasure is completed. Begin with a new preview.');
    const ids = (await findConcerned(manager, erasure)).map((recording) => recording.id);
    if (status === 'previewed' && ids.length > ERASURE_LIMITS.unconfirmed && confirmed !== ids.length)
      throw conflict(
        `confirm_recordings: the erasure deletes or changes ${counted(ids.length, 'recording')}, more than ${ERASURE_LIMITS.unconfirmed}: send this number to confirm it.`,
      );
    // The job asks again, with each of them locked.
    await requireNotHeld(manager, { id: who.id }, ids, 'erased from');
    // Organizations do not lose their last OWNER, as with a departure.
    for (const membership of await findMemberships(manager, erasure))
      await this.departures.requireOtherOwner(manager, membership, null);
    const running = { status: 'running', statusReason: null } as const;
    await erasures.update({ id }, running);
    const run: ErasureRun = { erasureId: id };
    // Retries take about an hour: a transcription may have to end first.
    await this.jobs.enqueue(manager, ERASURE_JOB, [run], { key: id, maxAttempts: 9, runAt });
    return { ...erasure, ...running };
  }

  private async requireOwner(who: Manager, organizationId: string): Promise<void> {
    const role = await this.organizations.requireMember(who, organizationId);
    requireRole({ id: organizationId, actor: { role } }, WHAT, (one) => one === 'OWNER');
    requireWholeOrganizations(who, WHAT);
  }

  private async findPerson(organizationId: string | null, asked: CreateErasureDto): Promise<Person> {
    const { email, user_id: userId, speaker_names: names } = asked;
    if (email === undefined && userId === undefined && !names?.length)
      throw invalid('email, user_id, speaker_names: one of them must say who is to be erased');
    const { manager } = this.dataSource;
    const id = userId ?? (email && (await findUserByEmail(manager, email))?.id);
    const isKnown = id !== undefined && isUuid(id) && (await isKnownTo(manager, organizationId, id));
    const user = isKnown ? await this.users.get(id) : null;
    if (userId !== undefined && !user)
      throw invalid('user_id: there is no such user, or they never were a member of the organization');
    const verified = user?.emailVerified ? user.email : null;
    if (email !== undefined && userId !== undefined && verified?.toLowerCase() !== email.toLowerCase())
      throw invalid('email: is not the verified address of the user; leave one of them out');
    return {
      organizationId,
      userId: user?.id ?? null,
      email: email ?? verified,
      names: names ?? (user ? [user.name] : []),
    };
  }
}

async function previewOf(
  manager: EntityManager,
  person: Person & Pick<Erasure, 'id'>,
): Promise<Erasure['preview']> {
  const concerned = await findConcerned(manager, person);
  const changed = concerned.filter(({ owned }) => !owned).map(({ id }) => id);
  const counts = {
    recordings_deleted: concerned.length - changed.length,
    recordings_changed: changed.length,
    ...(await countWords(manager, person, changed)),
    memberships: (await findMemberships(manager, person)).length,
    ...(await countTraces(manager, person)),
  };
  return { counts, review: await findTexts(manager, person, changed) };
}
