import type { Grant } from '../../../platform/config/identity-providers.js';
import { ROLES } from '../../../policy/roles.js';
import type { GrantedMembership } from '../../organizations/members/granted-memberships.service.js';

type Claims = Readonly<Record<string, unknown>>;

/**
 * What the table of a provider gives somebody with these claims, for each organization that it names: the highest role
 * and all folders of the rows that apply, or nothing. Organizations with a claim that the provider has left out as too
 * long are left out, too, as nobody knows what it would say.
 */
export function grantedBy(table: readonly Grant[], claims: Claims): readonly GrantedMembership[] {
  const tooLong = Object.keys(claims['_claim_names'] ?? {});
  return [...new Set(table.map(({ organization }) => organization))]
    .map((id) => ({ organizationId: id, grants: table.filter(({ organization }) => organization === id) }))
    .filter(({ grants }) => !grants.some(({ claim }) => tooLong.includes(claim)))
    .map(({ organizationId, grants }) => {
      const applying = grants.filter(({ claim, value }) => [claims[claim]].flat().includes(value));
      const role = ROLES.find((one) => applying.some((grant) => grant.role === one));
      return {
        organizationId,
        rights: role ? { role, folderIds: foldersOf(applying) } : null,
        grantable: foldersOf(grants),
      };
    });
}

const foldersOf = (grants: readonly Grant[]): readonly string[] => [
  ...new Set(grants.flatMap(({ folders }) => folders)),
];
