import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { invalid } from '../../contract/domain-error.js';
import { DAY_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { newId } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import { requireWholeOrganizations } from '../../policy/reach.js';
import type { OrganizationRetention as Terms, OrganizationRule } from '../../policy/retention.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { requireRole } from '../organizations/public/organization-requirements.queries.js';
import { RetentionEndsService } from './ends/retention-ends.service.js';
import { OrganizationRetention } from './entities/organization-retention.entity.js';
import type { GivenRetention } from './retention.dto.js';
import { RETENTION_LIMITS } from './retention-limits.js';
import { findKnown, findPreview, type FoundPreview } from './retention.queries.js';

const NO_RULES: Terms = { noticeDays: RETENTION_LIMITS.noticeDays.default, rules: [] };

/** The retention rules of organizations. */
@Injectable()
export class RetentionService {
  constructor(
    @InjectRepository(OrganizationRetention) private readonly rows: Repository<OrganizationRetention>,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly ends: RetentionEndsService,
    private readonly clock: Clock,
  ) {}

  /** For an OWNER or ADMIN: 404 `ORGANIZATION_NOT_FOUND` or 403 `FORBIDDEN` for others. */
  async get(caller: Caller, organizationId: string): Promise<Terms> {
    const role = await this.organizations.requireMember(caller, organizationId);
    requireWholeOrganizations(caller, 'see the retention rules');
    requireRole({ id: organizationId, actor: { role } }, 'see the retention rules', isManager);
    return (await this.rows.findOneBy({ organizationId })) ?? NO_RULES;
  }

  /**
   * Replaces all rules, for an OWNER. An unchanged rule stays in force; others take effect after the notice. 400
   * `VALIDATION_ERROR` for folders and members that the organization does not have.
   */
  async replace(caller: Caller, organizationId: string, given: GivenRetention): Promise<Terms> {
    const { notice_days: noticeDays } = given;
    const effectiveAt = new Date(this.clock.now().getTime() + noticeDays * DAY_MS).toISOString();
    return this.transactions.own(caller, organizationId, async (manager, { id }) => {
      await requireKnown(manager, id, given.rules);
      const rows = manager.getRepository(OrganizationRetention);
      const before = (await rows.findOneBy({ organizationId: id }))?.rules ?? [];
      const rules = given.rules.map((rule): OrganizationRule => {
        const same = before.find((one) => isDeepStrictEqual(one, { ...one, ...rule }));
        return same ?? { ...rule, id: newId(), effective_at: effectiveAt };
      });
      await rows.upsert({ organizationId: id, noticeDays, rules }, ['organizationId']);
      return { noticeDays, rules };
    });
  }

  /** What the rules will remove in the next days, for an OWNER or ADMIN. */
  async preview(caller: Caller, organizationId: string, days: number): Promise<readonly FoundPreview[]> {
    await this.get(caller, organizationId);
    const { manager } = this.rows;
    const rules = await this.ends.rules(manager, [organizationId]);
    const until = new Date(this.clock.now().getTime() + days * DAY_MS);
    return findPreview(manager, rules, { organizationId, until });
  }
}

/** Names the first folder or member that the organization does not have. */
async function requireKnown(
  manager: EntityManager,
  organizationId: string,
  rules: GivenRetention['rules'],
): Promise<void> {
  const named = rules.flatMap(({ folder_id: folder, except }, index) => [
    { field: `rules[${index}].folder_id`, kind: 'folder', ids: folder === null ? [] : [folder] } as const,
    { field: `rules[${index}].except.folder_ids`, kind: 'folder', ids: except.folder_ids } as const,
    { field: `rules[${index}].except.owner_ids`, kind: 'member', ids: except.owner_ids } as const,
  ]);
  const allIds = named.flatMap(({ ids }) => ids);
  const known = await findKnown(manager, organizationId, allIds);
  for (const { field, kind, ids } of named) {
    const unknown = ids.find((id) => !known[kind].includes(id));
    if (unknown) throw invalid(`${field}: ${unknown} is no ${kind} of the organization`);
  }
}
