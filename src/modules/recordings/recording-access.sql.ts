import { asJson } from '../../platform/database/json-row.js';
import type { PreparedStatement } from '../../platform/database/prepared-query.js';
import type { ContentStatus } from '../../policy/recording-status.js';
import type { SummaryTopic } from '../summaries/entities/summary.entity.js';
import { switchesSql } from './feature-switches.sql.js';

/** The statement that the access decision about a recording rests on, and what else of the recording it reads. */
export interface Alongside<Columns> extends PreparedStatement {
  /** Never there: says what the columns are. */
  readonly columns?: Columns;
}

/** Such a statement and its parameters from `$3` on. */
export interface Asked<Columns> {
  readonly statement: Alongside<Columns>;
  readonly values?: readonly unknown[];
}

/**
 * For those who need more of the recording `r` (or its transcript `t`) once it is open, and get it in the same round trip
 * and from the same moment. `$1` is the recording, `$2` the viewer or null. What is read so must be dropped when the
 * recording does not open.
 */
export const alongside = <Columns>({
  name,
  columns,
  join = '',
}: {
  readonly name: string;
  /** Each after a comma. */
  readonly columns: string;
  readonly join?: string;
}): Alongside<Columns> => ({
  name,
  text: `
  SELECT ${asJson(`
         r.id, r.title, r.status, r.progress, r.owner_id, r.organization_id, r.folder_id,
         r.created_at, r.updated_at, r.started_at, r.ended_at,
         r.status_reason, r.duration, r.media_key, r.media_type, r.package_key,
         t.status AS transcript_status, t.language AS transcript_language, t.speakers AS transcript_speakers,
         t.segments_count AS transcript_segments_count, t.duration AS transcript_duration,
         t.status_reason AS transcript_status_reason, t.revision AS transcript_revision,
         u.plan AS owner_plan,
         o.plan AS organization_plan, o.subscription_status, o.subscription_ends_at,
         ${switchesSql('o')} AS organization_switches,
         m.role, m.view_all_recordings, m.view_folder_recordings, ${switchesSql('m')} AS member_switches,
         f.active AS folder_active, (NOT f.restricted OR fm.user_id IS NOT NULL) AS folder_open`)} AS recording${columns}
  FROM recordings r
  LEFT JOIN users u ON u.id = r.owner_id
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN organization_members m ON m.organization_id = r.organization_id AND m.user_id = $2
  LEFT JOIN folders f ON f.id = r.folder_id
  LEFT JOIN folder_members fm ON fm.folder_id = r.folder_id AND fm.user_id = $2
  LEFT JOIN transcripts t ON t.recording_id = r.id
  ${join}
  WHERE r.id = $1`,
});

/** The texts that a recording holds beside its transcript; they may be long. */
export interface RecordingTexts {
  readonly notes: string;
  /** Null: there is no summary. */
  readonly summary_status: ContentStatus | null;
  readonly summary_status_reason: string | null;
  readonly summary_content: string | null;
  readonly summary_topics: SummaryTopic[] | null;
}

export const TEXTS = alongside<RecordingTexts>({
  name: 'recording-access-texts',
  columns: `, r.notes, s.status AS summary_status, s.status_reason AS summary_status_reason,
         s.content AS summary_content, s.topics AS summary_topics`,
  join: 'LEFT JOIN summaries s ON s.recording_id = r.id',
});
