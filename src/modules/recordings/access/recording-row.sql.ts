import { readTimes, type JsonRow } from '../../../platform/database/json-row.js';
import { sql, type Sql } from '../../../platform/database/sql.js';
import type { UserPlan } from '../../../policy/plans.js';
import type { AccessFacts } from '../../../policy/recording-access.js';
import type { ContentStatus, RecordingStatus } from '../../../policy/recording-status.js';
import { column, time, timesOf, type RowOf, TERMS, toTerms } from './public/columns.js';

/** What a running transcription has so far. */
interface DraftFigures {
  readonly speakers: string[];
  readonly segmentsCount: number;
  /** Seconds. */
  readonly duration: number;
}

/** What the access decision is based on, from `factTables`. */
export const FACTS = {
  owner_id: column<string | null>('r.owner_id'),
  organization_id: column<string | null>('r.organization_id'),
  status: column<RecordingStatus>('r.status'),
  created_at: time('r.created_at'),
  has_media: column<boolean>('r.media_key IS NOT NULL'),
  without_media: column<boolean>('r.without_media'),
  transcript_status: column<ContentStatus | null>('t.status'),
  auto_transcribe: column<boolean>('r.auto_transcribe'),
  owner_plan: column<UserPlan | null>('u.plan'),
  ...TERMS,
  folder_id: column<string | null>('CASE WHEN f.deleted_at IS NULL THEN r.folder_id END'),
  folder_active: column<boolean | null>('f.active'),
  folder_open: column<boolean>('(NOT f.restricted OR fm.user_id IS NOT NULL)'),
};

/** What else every operation on a recording gets: its columns and the figures of its transcript, without the texts. */
const FIGURES = {
  id: column<string>('r.id'),
  title: column<string>('r.title'),
  progress: column<number>('r.progress'),
  updated_at: time('r.updated_at'),
  revision: column<number>('r.revision'),
  started_at: time<Date | null>('r.started_at'),
  ended_at: time<Date | null>('r.ended_at'),
  status_reason: column<string | null>('r.status_reason'),
  /** Seconds. */
  duration: column<number | null>('r.duration'),
  media_key: column<string | null>('r.media_key'),
  media_type: column<string | null>('r.media_type'),
  package_key: column<string | null>('r.package_key'),
  transcript_language: column<string | null>('t.language'),
  transcript_speakers: column<string[] | null>('t.speakers'),
  transcript_segments_count: column<number | null>('t.segments_count'),
  // Never longer than the media, which may have come later.
  transcript_duration: column<number | null>(
    'CASE WHEN t.duration > r.duration THEN r.duration ELSE t.duration END',
  ),
  /** A transcription that has found nothing is not a failure, and the column would say so. */
  transcript_status_reason: column<string | null>(
    `CASE WHEN t.status = 'completed' AND t.generated AND t.segments_count = 0
          THEN 'No speech was found in the audio.' ELSE t.status_reason END`,
  ),
  transcript_revision: column<number | null>('t.revision'),
  transcript_confidence_known: column<boolean | null>('t.confidence_known'),
  /** The progress of the current transcription, 0 to 1. */
  transcript_progress: column<number | null>('t.progress'),
  transcript_draft: column<DraftFigures | null>('t.draft'),
};

export const ROW = { ...FIGURES, ...FACTS };

type FactsRow = RowOf<typeof FACTS>;

/** A recording with what is known about its content, without the texts themselves. */
export interface RecordingRow
  extends
    RowOf<typeof FIGURES>,
    Pick<
      FactsRow,
      'owner_id' | 'organization_id' | 'folder_id' | 'status' | 'created_at' | 'transcript_status'
    > {}

/** Joins the tables of `FACTS` to the recording `r`, for the viewer with this id. */
export const factTables = (viewer: Sql): Sql => sql`
  LEFT JOIN users u ON u.id = r.owner_id
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN organization_members m ON m.organization_id = r.organization_id AND m.user_id = ${viewer}
  LEFT JOIN folders f ON f.id = r.folder_id
  LEFT JOIN folder_members fm ON fm.folder_id = r.folder_id AND fm.user_id = ${viewer}
  LEFT JOIN transcripts t ON t.recording_id = r.id`;

export interface FoundRecording<Columns> {
  readonly row: RecordingRow & Columns;
  readonly facts: AccessFacts;
}

const TIMES = timesOf(ROW);

/** Reads a row that has `ROW` as JSON, and further columns beside it. */
export function readRecording<Columns>({
  recording,
  ...columns
}: { readonly recording: JsonRow<RowOf<typeof ROW>> } & Columns): FoundRecording<Columns> {
  const row = readTimes<RowOf<typeof ROW>>(recording, TIMES);
  return { row: Object.assign(row, columns as unknown as Columns), facts: toFacts(row) };
}

export function toFacts(row: FactsRow): AccessFacts {
  return {
    ownerId: row.owner_id,
    organizationId: row.organization_id,
    folder: row.folder_active && row.folder_id !== null ? { id: row.folder_id, open: row.folder_open } : null,
    status: row.status,
    hasMedia: row.has_media,
    withoutMedia: row.without_media,
    createdAt: row.created_at,
    transcriptionStatus: row.transcript_status ?? 'not_started',
    toTranscribe: row.auto_transcribe,
    ownerPlan: row.owner_plan,
    ...toTerms(row),
  };
}
