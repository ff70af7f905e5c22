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
  ownerId: column<string | null>('r.owner_id'),
  organizationId: column<string | null>('r.organization_id'),
  status: column<RecordingStatus>('r.status'),
  createdAt: time('r.created_at'),
  hasMedia: column<boolean>('r.media_key IS NOT NULL'),
  withoutMedia: column<boolean>('r.without_media'),
  transcriptStatus: column<ContentStatus | null>('t.status'),
  /** Whether it was created to be transcribed. */
  toTranscribe: column<boolean>('r.auto_transcribe'),
  ownerPlan: column<UserPlan | null>('u.plan'),
  ...TERMS,
  folderId: column<string | null>('CASE WHEN f.deleted_at IS NULL THEN r.folder_id END'),
  folderActive: column<boolean | null>('f.active'),
  folderOpen: column<boolean>('(NOT f.restricted OR fm.user_id IS NOT NULL)'),
};

/** What else every operation on a recording gets: its columns and the figures of its transcript, without the texts. */
const FIGURES = {
  id: column<string>('r.id'),
  title: column<string>('r.title'),
  progress: column<number>('r.progress'),
  updatedAt: time('r.updated_at'),
  revision: column<number>('r.revision'),
  startedAt: time<Date | null>('r.started_at'),
  endedAt: time<Date | null>('r.ended_at'),
  statusReason: column<string | null>('r.status_reason'),
  /** Seconds. */
  duration: column<number | null>('r.duration'),
  mediaKey: column<string | null>('r.media_key'),
  mediaType: column<string | null>('r.media_type'),
  packageKey: column<string | null>('r.package_key'),
  transcriptLanguage: column<string | null>('t.language'),
  transcriptSpeakers: column<string[] | null>('t.speakers'),
  transcriptSegmentsCount: column<number | null>('t.segments_count'),
  // Never longer than the media, which may have come later.
  transcriptDuration: column<number | null>(
    'CASE WHEN t.duration > r.duration THEN r.duration ELSE t.duration END',
  ),
  /** A transcription that has found nothing is not a failure, and the column would say so. */
  transcriptStatusReason: column<string | null>(
    `CASE WHEN t.status = 'completed' AND t.generated AND t.segments_count = 0
          THEN 'No speech was found in the audio.' ELSE t.status_reason END`,
  ),
  transcriptRevision: column<number | null>('t.revision'),
  transcriptConfidenceKnown: column<boolean | null>('t.confidence_known'),
  /** The progress of the current transcription, 0 to 1. */
  transcriptProgress: column<number | null>('t.progress'),
  transcriptDraft: column<DraftFigures | null>('t.draft'),
};

export const ROW = { ...FIGURES, ...FACTS };

type FactsRow = RowOf<typeof FACTS>;

/** A recording with what is known about its content, without the texts themselves. */
export interface RecordingRow
  extends
    RowOf<typeof FIGURES>,
    Pick<
      FactsRow,
      'ownerId' | 'organizationId' | 'folderId' | 'status' | 'createdAt' | 'transcriptStatus' | 'hasRules'
    > {}

/** Joins the tables of `FACTS` to the recording `r`, for the viewer with this id. */
export const factTables = (viewer: Sql): Sql => sql`
  LEFT JOIN users u ON u.id = r.owner_id
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN organization_members m ON m.organization_id = r.organization_id AND m.user_id = ${viewer}
  LEFT JOIN folders f ON f.id = r.folder_id
  LEFT JOIN folder_members fm ON fm.folder_id = r.folder_id AND fm.user_id = ${viewer}
  LEFT JOIN transcripts t ON t.recording_id = r.id`;

/** Recordings `r` as if those in the bin were where they were. `which` is about `stored`. */
export const wherePlaced = (which: Sql): Sql => sql`(
  SELECT place.* FROM recordings stored CROSS JOIN LATERAL recording_place(stored) place WHERE ${which}) r`;

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
    ownerId: row.ownerId,
    organizationId: row.organizationId,
    folder: row.folderActive && row.folderId !== null ? { id: row.folderId, open: row.folderOpen } : null,
    status: row.status,
    hasMedia: row.hasMedia,
    withoutMedia: row.withoutMedia,
    createdAt: row.createdAt,
    transcriptionStatus: row.transcriptStatus ?? 'not_started',
    toTranscribe: row.toTranscribe,
    ownerPlan: row.ownerPlan,
    ...toTerms(row),
  };
}
