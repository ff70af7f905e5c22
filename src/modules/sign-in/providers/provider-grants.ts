import type { Grant } from '../../../platform/config/identity-providers.js';
import { grantableFolders, rightsFrom } from '../../../policy/grants.js';
import type { GrantedMembership } from '../../organizations/members/granted-memberships.service.js';

type Claims = Readonly<Record<string, unknown>>;

/**
 * What the table of a provider gives somebody with these claims, for each organization that it names. Organizations with a
 * claim that the provider has left out as too long are left out, too, as nobody knows what it would say.
 */
export function grantedBy(table: readonly Grant[], claims: Claims): readonly GrantedMembership[] {
  const tooLong = Object.keys(claims['_claim_names'] ?? {});
  const organizations = new Set(table.map(({ organization }) => organization));
  for (const { claim, organization } of table)
    if (tooLong.includes(claim)) organizations.delete(organization);
  return [...organizations].map((organizationId) => ({
    organizationId,
    rights: rightsFrom(table, organizationId, ({ claim, value }) => [claims[claim]].flat().includes(value)),
    grantable: grantableFolders(table, organizationId),
  }));
}
