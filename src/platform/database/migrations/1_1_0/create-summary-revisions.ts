import { migrationOf } from '../../migration-of.js';

const UP = [
  `CREATE TABLE summary_revisions (
    recording_id uuid NOT NULL
      CONSTRAINT summary_revisions_recording_id_fkey REFERENCES summaries ON DELETE CASCADE,
    revision integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    cause text CONSTRAINT summary_revisions_cause_check CHECK (cause IN ('import', 'generation', 'restore')),
    created_by uuid CONSTRAINT summary_revisions_created_by_fkey REFERENCES users ON DELETE SET NULL,
    content text,
    html text,
    topics json,
    CONSTRAINT summary_revisions_pkey PRIMARY KEY (recording_id, revision)
  )`,
  `CREATE INDEX summary_revisions_created_by_idx ON summary_revisions (created_by)`,

  // The summaries that there are, as the change log has them, if it still does.
  `INSERT INTO summary_revisions (recording_id, revision, created_at, cause, created_by)
   SELECT s.recording_id, COALESCE(c.revision, s.revision), COALESCE(c.at, r.updated_at),
     CASE WHEN c.actor_kind = 'service' THEN 'generation' WHEN c.actor_kind IS NOT NULL THEN 'import' END, u.id
   FROM summaries s
   JOIN recordings r ON r.id = s.recording_id
   LEFT JOIN (
     SELECT DISTINCT ON (recording_id) recording_id, at, actor_kind, actor_id, (details ->> 'revision')::integer AS revision
     FROM change_log WHERE type = 'summary.completed' ORDER BY recording_id, at DESC, id DESC
   ) c ON c.recording_id = s.recording_id
   LEFT JOIN users u ON u.id = c.actor_id
   WHERE s.content IS NOT NULL OR s.topics::text <> '[]'`,
];

export class CreateSummaryRevisions1795752000000 extends migrationOf(UP, ['DROP TABLE summary_revisions']) {}
