import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import {
  organizationRules,
  personalRules,
  type Retention,
  type RetentionRule,
} from '../../../policy/retention.js';
import { findEnds, findTerms } from './public/retention-ends.queries.js';

/** What tells whether any rule can be for a recording. */
interface Retained {
  readonly id: string;
  readonly organizationId: string | null;
  /** Whether its organization has set rules. */
  readonly hasRules: boolean;
}

/** How long recordings are kept: what will be removed next of each, and when. */
@Injectable()
export class RetentionEndsService {
  /** Whether the installation limits how long recordings are kept. */
  private readonly isCapped: boolean;

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'retention'>) {
    const { personal, plans } = settings.retention;
    this.isCapped = [personal, ...Object.values(plans)].some((days) => days !== null);
  }

  /** What will be removed, by the ids of the recordings. Asks the database only where there are rules. */
  async find(
    manager: EntityManager,
    recordings: readonly Retained[],
  ): Promise<ReadonlyMap<string, Retention>> {
    const concerned = recordings.filter(({ hasRules }) => hasRules || this.isCapped);
    if (concerned.length === 0) return new Map();
    const organizationIds = new Set(concerned.flatMap(({ organizationId }) => organizationId ?? []));
    const rules = await this.rules(manager, [...organizationIds]);
    const ids = concerned.map(({ id }) => id);
    const found = await findEnds(manager, rules, ids);
    return new Map(found.map((one) => [one.id, one]));
  }

  /** The rules for personal recordings, and for those of these organizations. */
  async rules(manager: EntityManager, organizationIds: readonly string[]): Promise<RetentionRule[]> {
    const caps = this.settings.retention;
    const organizations = await findTerms(manager, organizationIds);
    return [...personalRules(caps), ...organizations.flatMap((one) => organizationRules(one, caps))];
  }
}
