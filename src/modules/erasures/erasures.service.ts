import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager, LessThan } from 'typeorm';
import { conflict, invalid, required } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
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
import { Erasure, type ErasurePreview } from './entities/erasure.entity.js';
import { ERASURE_JOB, type ErasureRun } from './erasure-job.js';
import type { CreateErasureDto } from './erasure.dto.js';
import {
  countWords,
  findConcerned,
  findMemberships,
  findTexts,
  isKnownTo,
  lockRecordings,
  noteRecordings,
} from './erasures.queries.js';

const WHAT = 'erase people';
const EXPIRE_JOB = 'erasures.expire';

type Asked = Pick<CreateErasureDto, 'email' | 'user_id' | 'speaker_names' | 'words' | 'silence_audio'>;

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
    // Nobody confirms them any more, and they say who it was about.
    this.jobs.handle(
      EXPIRE_JOB,
      async () => {
        const where = { status: 'previewed', createdAt: LessThan(this.previewedAfter()) } as const;
        await this.dataSource.getRepository(Erasure).delete(where);
      },
      { schedule: '37 * * * *' },
    );
  }

  /** Finds what an erasure would do. 400 `VALIDATION_ERROR` if it names nobody; 403 `FORBIDDEN` unless for an OWNER. */
  async preview(who: Manager, organizationId: string | null, asked: Asked): Promise<Erasure> {
    if (organizationId !== null) await this.requireOwner(who, organizationId);
    const { manager } = this.dataSource;
    const person = await this.findPerson(organizationId?.toLowerCase() ?? null, asked);
    const erasure: Erasure = {
      ...person,
      id: newId(),
      createdAt: this.clock.now(),
      createdBy: who.id,
      words: asked.words,
      silenceAudio: asked.silence_audio,
      status: 'previewed',
      statusReason: null,
      preview: await previewOf(manager, person),
      receipt: null,
    };
    await manager.getRepository(Erasure).insert(erasure);
    return erasure;
  }

  /** The last ones, newest first. */
  async list(who: Manager, organizationId: string): Promise<Erasure[]> {
    await this.requireOwner(who, organizationId);
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    return this.dataSource
      .getRepository(Erasure)
      .find({ where: { organizationId }, order, take: LIMITS.erasures.listed });
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
   * Begins the erasure, or goes on with one that has failed. 409 `CONFLICT` if its preview has expired, if it meets many
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
    const { status, createdAt } = erasure;
    if (status === 'running') return erasure;
    if (status === 'completed' || (status === 'previewed' && createdAt < this.previewedAfter()))
      throw conflict(
        status === 'completed'
          ? 'This erasure is completed. Begin with a new preview.'
          : `The preview has expired, after ${counted(LIMITS.erasures.previewHours, 'hour')}. Begin with a new one.`,
      );
    const concerned = await findConcerned(manager, erasure);
    const ids = concerned.map((recording) => recording.id);
    if (status === 'previewed' && ids.length > LIMITS.erasures.unconfirmed && confirmed !== ids.length)
      throw conflict(
        `confirm_recordings: the erasure deletes or changes ${counted(ids.length, 'recording')}, more than ${LIMITS.erasures.unconfirmed}: send this number to confirm it.`,
      );
    await lockRecordings(manager, ids);
    await requireNotHeld(manager, { id: who.id }, ids, 'erased from');
    await this.requireOtherOwners(manager, erasure);
    await noteRecordings(manager, id, concerned);
    const running = { status: 'running', statusReason: null } as const;
    await erasures.update({ id }, running);
    const run: ErasureRun = { erasureId: id };
    await this.jobs.enqueue(manager, ERASURE_JOB.task, [run], { ...ERASURE_JOB.options(id), runAt });
    return { ...erasure, ...running };
  }

  /** Organizations do not lose their last OWNER, as with a departure. */
  private async requireOtherOwners(
    manager: EntityManager,
    { userId, organizationId }: Person,
  ): Promise<void> {
    for (const membership of await findMemberships(manager, { userId, organizationId }))
      await this.departures.requireOtherOwner(manager, membership, null);
  }

  private async requireOwner(who: Manager, organizationId: string): Promise<void> {
    const role = await this.organizations.requireMember(who, organizationId);
    requireRole({ id: organizationId, actor: { role } }, WHAT, (one) => one === 'OWNER');
    requireWholeOrganizations(who, WHAT);
  }

  private async findPerson(organizationId: string | null, asked: Asked): Promise<Person> {
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

  private previewedAfter(): Date {
    return new Date(this.clock.now().getTime() - LIMITS.erasures.previewHours * HOUR_MS);
  }
}

async function previewOf(manager: EntityManager, person: Person): Promise<ErasurePreview> {
  const concerned = await findConcerned(manager, person);
  const changed = concerned.filter(({ owned }) => !owned).map(({ id }) => id);
  const texts = await findTexts(manager, person, changed);
  const counts = {
    recordings_deleted: concerned.length - changed.length,
    recordings_changed: changed.length,
    ...(await countWords(manager, person, changed)),
    memberships: (await findMemberships(manager, person)).length,
    ...(await countTraces(manager, person)),
  };
  const review = texts.slice(0, LIMITS.erasures.review);
  return { counts, review, moreToReview: texts.length > review.length };
}
