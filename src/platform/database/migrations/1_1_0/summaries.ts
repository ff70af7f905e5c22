import { logChanges } from '../../log-changes.js';
import { fieldsChanged, ofRecording } from '../1_0_0/change-triggers.js';
import { triggerFunction, type Topic } from '../1_0_0/topic.js';

/** What people change; a new summary that replaces action items says so itself. */
const LOGGED = logChanges([
  {
    table: 'action_items',
    log: ofRecording('row.id'),
    changes: [
      fieldsChanged('action_item.updated', {
        text: 'OLD.text <> NEW.text',
        owner: 'OLD.owner IS DISTINCT FROM NEW.owner',
        due: 'OLD.due IS DISTINCT FROM NEW.due',
        dueDate: 'OLD.due_date IS DISTINCT FROM NEW.due_date',
        done: 'OLD.done <> NEW.done',
      }),
    ],
  },
]);

/** Summaries get revisions, decisions and action items. The only revision of an existing summary is itself. */
export const SUMMARIES: Topic = {
  up: [
    `ALTER TABLE summaries ADD COLUMN decisions json NOT NULL DEFAULT '[]'`,
    `CREATE TABLE summary_revisions (
      recording_id uuid NOT NULL,
      revision integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      cause text CONSTRAINT summary_revisions_cause_check CHECK (cause IN ('import', 'generation', 'restore')),
      created_by uuid,
      content text,
      html text,
      topics json,
      decisions json,
      action_items json,
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
    // Faster than row by row.
    `ALTER TABLE summary_revisions
       ADD CONSTRAINT summary_revisions_recording_id_fkey FOREIGN KEY (recording_id) REFERENCES summaries ON DELETE CASCADE,
       ADD CONSTRAINT summary_revisions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users ON DELETE SET NULL`,
    // One that release 1.0.0 writes during a rolling restart is its only revision, too.
    triggerFunction(
      'revise_summary',
      `IF NOT EXISTS (SELECT FROM summary_revisions WHERE recording_id = NEW.recording_id AND revision = NEW.revision) THEN
         DELETE FROM summary_revisions WHERE recording_id = NEW.recording_id AND topics IS NULL;
         INSERT INTO summary_revisions (recording_id, revision, created_at) VALUES (NEW.recording_id, NEW.revision, now());
       END IF;`,
    ),
    `CREATE TRIGGER summaries_revise AFTER INSERT OR UPDATE OF content ON summaries
       FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION revise_summary()`,

    // `due_date` is the day that the words of `due` mean.
    `CREATE TABLE action_items (
      id uuid CONSTRAINT action_items_pkey PRIMARY KEY,
      recording_id uuid NOT NULL CONSTRAINT action_items_recording_id_fkey REFERENCES summaries ON DELETE CASCADE,
      position integer NOT NULL,
      text text NOT NULL,
      owner text,
      due text,
      start double precision CONSTRAINT action_items_start_check CHECK (start >= 0),
      segment_ids integer[] NOT NULL,
      done boolean NOT NULL,
      changed_at timestamptz(3),
      due_date date,
      confidence double precision CONSTRAINT action_items_confidence_check CHECK (confidence >= 0 AND confidence <= 1),
      CONSTRAINT action_items_recording_id_position_key UNIQUE (recording_id, position)
    )`,
    `CREATE INDEX action_items_owner_idx ON action_items (lower(owner))`,
    ...LOGGED.up,
  ],
  down: [
    ...LOGGED.down,
    'DROP FUNCTION revise_summary CASCADE',
    'DROP TABLE action_items, summary_revisions',
    'ALTER TABLE summaries DROP COLUMN decisions',
  ],
};
