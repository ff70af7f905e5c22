import { CHANGE_TYPES, type ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { readCursor, type CursorPosition } from '../../../platform/http/replies/cursor.js';
import { isUuid } from '../../../platform/ids.js';
import { endOf, parseTimestamp } from '../../../platform/clock/timestamps.js';
import type { ListAuditLogDto } from '../dto/list-audit-log.dto.js';
import { reachesAll, type Reach } from '../../../policy/reach.js';
import { readTypes } from '../../../contract/type-names.js';

/** The log that is read: that of an organization, what a user did and what concerns them, or all of it. */
export type AuditScope =
  { readonly organizationId: string } | { readonly userId: string } | { readonly installation: true };

export interface AuditQuery {
  readonly scope: AuditScope;
  /** Undefined: all. */
  readonly types?: readonly ChangeTypeName[];
  readonly actorId?: string;
  /** The target, the recording or the user concerned. */
  readonly targetId?: string;
  readonly since?: Date;
  readonly until?: Date;
  /** Of whom only what their API key reaches is shown; undefined: all. */
  readonly reach?: Reach;
  /** Only rows after this one, that is, older ones. */
  readonly after?: CursorPosition;
}

/** The nil UUID, which identifies nothing: stands for ids that are not UUIDs. */
const UNKNOWN = '00000000-0000-0000-0000-000000000000';

export function readAuditQuery(scope: AuditScope, filters: ListAuditLogDto): AuditQuery {
  const { type, actor_id: actorId, target_id: targetId, since, until, cursor } = filters;
  return {
    scope,
    types: readTypes(type, CHANGE_TYPES),
    actorId: actorId && (isUuid(actorId) ? actorId : UNKNOWN),
    targetId: targetId && (isUuid(targetId) ? targetId : UNKNOWN),
    since: since === undefined ? undefined : parseTimestamp(since)?.date,
    until: endOfTime(until),
    after: readCursor(cursor),
  };
}

/** Limits a query to what an API key reaches. */
export const withinReach = (query: AuditQuery, reach: Reach): AuditQuery => ({
  ...query,
  reach: reachesAll(reach) ? undefined : reach,
});

function endOfTime(until: string | undefined): Date | undefined {
  const parsed = until === undefined ? null : parseTimestamp(until);
  return parsed ? endOf(parsed) : undefined;
}
