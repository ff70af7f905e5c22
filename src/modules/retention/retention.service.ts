import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { invalid, required } from '../../contract/domain-error.js';
import { DAY_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { newId } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import { requireWholeOrganizations } from '../../policy/reach.js';
import {
  organizationRules,
  type OrganizationRetention as Terms,
  type OrganizationRule,
  type RetentionRule,
} from '../../policy/retention.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { requireRole } from '../organizations/public/organization-requirements.queries.js';
import { findOrganizationRules } from './ends/public/retention-facts.queries.js';
import { OrganizationRetention } from './entities/organization-retention.entity.js';
import type { GivenRetention } from './retention.dto.js';
import { RETENTION_LIMITS } from './retention-limits.js';
import { findKnown, previewUntil, type Preview } from './retention.queries.js';

const NO_RULES: Terms = { noticeDays: RETENTION_LIMITS.noticeDays.default, rules: [] };

/** What goes until a time, and the rules that it goes by. */
export interface Previewed {
  readonly until: Date;
  readonly rules: readonly RetentionRule[];
  readonly preview: Preview;
}

/** The retention rules of organizations. */
@Injectable()
export class RetentionService {
  constructor(
    @InjectRepository(OrganizationRetention) private readonly rows: Repository<OrganizationRetention>,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'retention'>,
  ) {}

  /** For an OWNER or ADMIN: 404 `ORGANIZATION_NOT_FOUND` or 403 `FORBIDDEN` for others. */
  async get(caller: Caller, organizationId: string): Promise<Terms> {
    requireWholeOrganizations(caller, 'see the retention rules');
    const role = await this.organizations.requireMember(caller, organizationId);
    requireRole({ id: organizationId, actor: { role } }, 'see the retention rules', isManager);
    return (await this.rows.findOneBy({ organizationId })) ?? NO_RULES;
  }

  /** Replaces all rules, for an OWNER. 400 `VALIDATION_ERROR` for folders and members that the organization does not have. */
  async replace(caller: Caller, organizationId: string, given: GivenRetention): Promise<Terms> {
    return this.transactions.own(caller, organizationId, async (manager, { id }) => {
      const rows = manager.getRepository(OrganizationRetention);
      const before = await rows.findOneBy({ organizationId: id });
      const terms = await this.termsOf(manager, id, before?.rules ?? [], given);
      await rows.upsert({ organizationId: id, ...terms }, ['organizationId']);
      return terms;
    });
  }

  /** What goes in the next days, for an OWNER or ADMIN. */
  async preview(caller: Caller, organizationId: string, days: number): Promise<Previewed> {
    const { manager } = this.rows;
    const terms = await this.get(caller, organizationId);
    const [organization] = await findOrganizationRules(manager, [organizationId]);
    const { plan } = required(organization, 'ORGANIZATION_NOT_FOUND');
    const rules = organizationRules(terms, plan, this.settings.retention);
    const until = new Date(this.clock.now().getTime() + days * DAY_MS);
    const limit = RETENTION_LIMITS.preview;
    return { until, rules, preview: await previewUntil(manager, { rules, organizationId, until, limit }) };
  }

  /** A rule that stays as it was keeps the time from which it is in force; others give notice. */
  private async termsOf(
    manager: EntityManager,
    organizationId: string,
    before: readonly OrganizationRule[],
    { notice_days: noticeDays, rules }: GivenRetention,
  ): Promise<{ noticeDays: number; rules: OrganizationRule[] }> {
    await requireKnown(manager, organizationId, rules);
    const effectiveAt = new Date(this.clock.now().getTime() + noticeDays * DAY_MS).toISOString();
    const known = new Map(before.map((rule) => [contentOf(rule), rule.effective_at]));
    const set = rules.map(({ id = newId(), ...content }) => ({ ...content, id, effective_at: effectiveAt }));
    return {
      noticeDays,
      rules: set.map((rule) => ({ ...rule, effective_at: known.get(contentOf(rule)) ?? effectiveAt })),
    };
  }
}

/** The columns of `jsonb` come in an order of their own. */
const contentOf = ({
  id,
  removes,
  days,
  counted_from: from,
  folder_id: folder,
  except,
}: OrganizationRule): string =>
  JSON.stringify([id, removes, days, from, folder, except.titles, except.owner_ids, except.folder_ids]);

/** Names the first folder or member that the organization does not have. */
async function requireKnown(
  manager: EntityManager,
  organizationId: string,
  rules: GivenRetention['rules'],
): Promise<void> {
  const folderIds = rules.flatMap(({ folder_id: folder, except }) => [
    ...except.folder_ids,
    ...(folder ? [folder] : []),
  ]);
  const ownerIds = rules.flatMap(({ except }) => except.owner_ids);
  const known = await findKnown(manager, organizationId, { folderIds, ownerIds });
  const [isFolder, isMember] = [new Set(known.folderIds), new Set(known.ownerIds)];
  for (const [index, { folder_id: folder, except }] of rules.entries()) {
    const at = `rules[${index}]`;
    if (folder !== null && !isFolder.has(folder))
      throw invalid(`${at}.folder_id: is no folder of the organization`);
    const otherFolder = except.folder_ids.findIndex((id) => !isFolder.has(id));
    const otherOwner = except.owner_ids.findIndex((id) => !isMember.has(id));
    if (otherFolder >= 0)
      throw invalid(`${at}.except.folder_ids[${otherFolder}]: is no folder of the organization`);
    if (otherOwner >= 0)
      throw invalid(`${at}.except.owner_ids[${otherOwner}]: is no member of the organization`);
  }
}
