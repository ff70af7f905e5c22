import type { SpeakerStatistics } from '../../lib/transcript-formats/speaker-statistics.js';
import type { Retention } from '../../policy/retention.js';
import { column, extraColumns, type RowOf } from './access/public/columns.js';
import type { OpenRecording } from './access/recording-access.service.js';
import { SUMMARY_COLUMNS } from '../summaries/public/summaries.sql.js';

/** The upload of media that is to be added to the recording, or to replace what it has. */
interface NewMediaRow {
  readonly closed: boolean;
  /** Bytes. */
  readonly received: number;
  readonly size: number | null;
  readonly progress: number;
  readonly statusReason: string | null;
}

/**
 * What the detail has besides `RecordingRow`: texts, which may be long and are better not in JSON, and the state of new
 * media. A summary's columns are null when there is none.
 */
const DETAIL_COLUMNS = {
  ownerName: column<string | null>('u.name'),
  notes: column<string>('r.notes'),
  externalId: column<string | null>('r.external_id'),
  metadata: column<Record<string, string>>('r.metadata'),
  ...SUMMARY_COLUMNS,
  summaryStatusReason: column<string | null>('s.status_reason'),
  speakerStatistics: column<SpeakerStatistics[] | null>('t.speaker_statistics'),
  newMedia: column<NewMediaRow | null>(`
         (SELECT json_build_object('closed', u.closed_at IS NOT NULL, 'received', u.received, 'size', u.size,
                                   'progress', u.progress, 'statusReason', u.status_reason)
          FROM uploads u WHERE u.recording_id = r.id AND u.added)`),
};

/** Prepared with the access decision: the whole detail is one statement. */
export const RECORDING_DETAIL = extraColumns(
  'detail',
  DETAIL_COLUMNS,
  'LEFT JOIN summaries s ON s.recording_id = r.id',
);

/** A recording with its texts other than the transcript, and the state of its new media. */
export type WholeRecording = OpenRecording<RowOf<typeof DETAIL_COLUMNS>> & {
  readonly retention: Retention | null;
};
