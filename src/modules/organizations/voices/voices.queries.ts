import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import { readNameList, type NameListQuery, type NamePage } from '../name-list.queries.js';

/** Somebody whom members have named: all voices with that name, in any case. */
export interface VoiceProfile {
  readonly id: string;
  readonly name: string;
  readonly recordings: number;
  readonly seconds: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The same for a name as long as there is such a profile, and afterwards. */
const profileId = (name: string): string => `md5(v.organization_id::text || lower(v.${name}))::uuid`;

/** Lists profiles, ordered by name, without what is known from recordings in the bin. */
export const listProfiles = (
  manager: EntityManager,
  organizationId: string,
  query: NameListQuery,
): Promise<NamePage<VoiceProfile>> =>
  readNameList(manager, query, {
    columns: sql`p.*`,
    from: sql`(
      SELECT ${() => profileId('speaker')} AS id, min(v.speaker) AS name, count(DISTINCT v.recording_id)::int AS recordings,
        round(sum(v.seconds))::int AS seconds, min(v.named_at) AS "createdAt", max(v.named_at) AS "updatedAt"
      FROM transcript_voices v JOIN recordings r ON r.id = v.recording_id AND r.organization_id = v.organization_id
      WHERE v.organization_id = ${organizationId}::uuid AND v.named_at IS NOT NULL GROUP BY 1) p`,
    where: sql`true`,
    alias: 'p',
    searched: 'p.name',
  });

/** Deletes the voices that have its name or would get it. Returns whether there were any; the change log has it then. */
export async function deleteProfile(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const logged = await sql(manager)`
    WITH deleted AS (
      DELETE FROM transcript_voices v WHERE v.organization_id = ${organizationId}::uuid
        AND ${id}::uuid IN (${() => profileId('speaker')}, ${() => profileId('suggestion')}) RETURNING v.organization_id AS o)
    SELECT log_organization_change('organization.updated', o, o, NULL, '{"fields": ["voices"]}') FROM deleted LIMIT 1`;
  return logged.length > 0;
}
