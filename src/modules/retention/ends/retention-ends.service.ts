import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { organizationRules, personalRules, retentionOf, type Retention } from '../../../policy/retention.js';
import {
  findOrganizationRules,
  findRetentionFacts,
  type FoundFacts,
} from './public/retention-facts.queries.js';

/** What is known about recordings, before rules are asked for. */
export interface Retained {
  readonly id: string;
  readonly organizationId: string | null;
  /** Whether its organization has set rules. */
  readonly hasRules: boolean | null;
}

export interface DecidedRetention {
  readonly facts: FoundFacts;
  readonly retention: Retention | null;
}

/** How long recordings are kept: what goes next of each, and when. */
@Injectable()
export class RetentionEndsService {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'retention'>) {}

  /** By the ids of the recordings of which something will go; asks the database only where there are rules. */
  async find(
    manager: EntityManager,
    recordings: readonly Retained[],
  ): Promise<ReadonlyMap<string, Retention>> {
    const concerned = recordings.filter((one) => one.hasRules === true || this.isCapped(one));
    if (concerned.length === 0) return new Map();
    const decided = await this.decide(
      manager,
      concerned.map(({ id }) => id),
      false,
    );
    return new Map(
      decided.flatMap(({ facts, retention }) => (retention ? [[facts.id, retention] as const] : [])),
    );
  }

  /** Decides about recordings, in the order of their ids; with `locked`, for the rest of the transaction. */
  async decide(
    manager: EntityManager,
    recordingIds: readonly string[],
    locked: boolean,
  ): Promise<DecidedRetention[]> {
    const found = await findRetentionFacts(manager, recordingIds, locked);
    const organizationIds = [...new Set(found.flatMap((one) => one.organizationId ?? []))];
    const organizations =
      organizationIds.length > 0 ? await findOrganizationRules(manager, organizationIds) : [];
    const caps = this.settings.retention;
    const rulesOf = new Map(
      organizations.map((one) => [one.organizationId, organizationRules(one, one.plan, caps)]),
    );
    return found.map((facts) => {
      const { organizationId, ownerPlan } = facts;
      const personal = ownerPlan === null ? [] : personalRules(ownerPlan, caps);
      const rules = organizationId === null ? personal : (rulesOf.get(organizationId) ?? []);
      return { facts, retention: retentionOf(rules, facts) };
    });
  }

  /** Whether the installation may limit how long it is kept. */
  private isCapped({ organizationId }: Retained): boolean {
    const { personal, plans } = this.settings.retention;
    return (
      (organizationId === null && personal !== null) || Object.values(plans).some((days) => days !== null)
    );
  }
}
