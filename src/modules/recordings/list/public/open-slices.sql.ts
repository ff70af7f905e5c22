import { joined, tableOf, sql, type Sql } from '../../../../platform/database/sql.js';
import { filterConditions } from '../recording-filters.js';
import { ownership } from '../recording-list.hot.sql.js';
import type { ListScope, MembershipRow } from '../visibility-slices.js';

/** What a caller can see, and the memberships that it follows from. */
export interface CallerScope extends ListScope {
  readonly memberships: readonly MembershipRow[];
}

/**
 * A slice to be read in the order of its index: a table `v` of its values, and for each of them the condition on a row
 * `r` of `recordings`.
 */
export interface OpenSlice {
  readonly each: Sql;
  readonly condition: Sql;
}

/**
 * The slices of a scope, reduced to recordings created since `openFrom` of their organization, or of the viewer for
 * personal ones; without those that have none.
 */
export function openSlices(scope: CallerScope, openFrom: ReadonlyMap<string, string>): OpenSlice[] {
  const organizations = new Map(
    scope.memberships.flatMap(({ organizationId: id, openFolders: open, closedFolders: closed }) =>
      [...open, ...closed].map((folder) => [folder, id]),
    ),
  );
  return scope.slices.flatMap((slice) => {
    const open = slice.values.flatMap((value) => {
      const from = openFrom.get(organizations.get(value) ?? value);
      return from === undefined ? [] : [{ value, from }];
    });
    if (open.length === 0) return [];
    const each = tableOf(
      [
        ['value', 'uuid', open.map(({ value }) => value)],
        ['open_from', 'timestamptz', open.map(({ from }) => from)],
      ],
      'v',
    );
    const where = [
      sql`r.${() => slice.column} = v.value AND r.created_at >= v.open_from`,
      ...ownership(slice, scope),
      ...filterConditions(scope.filters),
    ];
    return [{ each, condition: joined(where, ' AND ') }];
  });
}
