import { asJson } from '../../../platform/database/json-row.js';
import type { PreparedStatement } from '../../../platform/database/prepared-query.js';
import { featureFlagsSql } from '../../organizations/public/feature-flags.sql.js';

/** What the access decision is based on, from `factTables`. */
const FACTS = `r.owner_id, r.organization_id, r.status, r.created_at, r.media_key IS NOT NULL AS has_media, r.without_media, t.status AS transcript_status,
         u.plan AS owner_plan,
         o.plan AS organization_plan, o.subscription_status, o.subscription_ends_at,
         ${featureFlagsSql('o')} AS organization_flags,
         m.role, m.view_all_recordings, m.view_folder_recordings, ${featureFlagsSql('m')} AS member_flags,
         f.active AS folder_active, (NOT f.restricted OR fm.user_id IS NOT NULL) AS folder_open`;

/** To be joined to the recording `r`, for the viewer with this id. */
const factTables = (viewer: string): string => `
  LEFT JOIN users u ON u.id = r.owner_id
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN organization_members m ON m.organization_id = r.organization_id AND m.user_id = ${viewer}
  LEFT JOIN folders f ON f.id = r.folder_id
  LEFT JOIN folder_members fm ON fm.folder_id = r.folder_id AND fm.user_id = ${viewer}
  LEFT JOIN transcripts t ON t.recording_id = r.id`;

/** The statement that loads the facts for the access decision about recording `$1` and viewer `$2` (or null). */
export const accessStatement = ({
  name,
  columns,
  join = '',
}: {
  readonly name: string;
  readonly columns: string;
  readonly join?: string;
}): PreparedStatement => ({
  name: `recording-access-${name}`,
  text: `
  SELECT ${asJson(`
         r.id, r.title, r.progress, CASE WHEN f.deleted_at IS NULL THEN r.folder_id END AS folder_id, r.updated_at, r.revision, r.started_at, r.ended_at,
         r.status_reason, r.duration, r.media_key, r.media_type, r.package_key,
         t.language AS transcript_language, t.speakers AS transcript_speakers,
         t.segments_count AS transcript_segments_count, t.duration AS transcript_duration,
         t.status_reason AS transcript_status_reason, t.revision AS transcript_revision,
         t.confidence_known AS transcript_confidence_known, t.progress AS transcript_progress,
         t.draft AS transcript_draft,
         ${FACTS}`)} AS recording${columns}
  FROM recordings r
  ${factTables('$2')}
  ${join}
  WHERE r.id = $1`,
});

/** The facts and only these columns, for recordings `$1` and viewer `$2`. */
export const factsOfMany = (columns: string): string => `
  SELECT ${asJson(`r.id, r.folder_id, ${FACTS}`)} AS facts${columns}
  FROM recordings r
  ${factTables('$2')}
  WHERE r.id = ANY ($1)`;

/** The same for recording `$1` and the user of API key `$2`, with the standing of the key and only these columns. */
export const keyedAccessStatement = ({
  name,
  columns,
}: {
  readonly name: string;
  readonly columns: string;
}): PreparedStatement => ({
  name: `recording-access-keyed-${name}`,
  text: `
  SELECT ${asJson(`k.user_id AS key_user_id, k.expires_at AS key_expires_at, k.revoked_at AS key_revoked_at, ${FACTS}`)} AS facts${columns}
  FROM recordings r
  JOIN api_keys k ON k.id = $2
  ${factTables('k.user_id')}
  WHERE r.id = $1`,
});
