import { migrationOf } from '../../migration-of.js';
import { logChanges } from '../../log-changes.js';
import { fieldsChanged, ofRecording } from '../1_0_0/change-triggers.js';

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
        done: 'OLD.done <> NEW.done',
      }),
    ],
  },
]);

const UP = [
  `ALTER TABLE summaries ADD COLUMN decisions json NOT NULL DEFAULT '[]'`,
  `ALTER TABLE summary_revisions ADD COLUMN decisions json, ADD COLUMN action_items json`,
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
    CONSTRAINT action_items_recording_id_position_key UNIQUE (recording_id, position)
  )`,
  `CREATE INDEX action_items_owner_idx ON action_items (lower(owner))`,
  ...LOGGED.up,
];

const DOWN = [
  ...LOGGED.down,
  'DROP TABLE action_items',
  'ALTER TABLE summary_revisions DROP COLUMN decisions, DROP COLUMN action_items',
  'ALTER TABLE summaries DROP COLUMN decisions',
];

/** Summaries have decisions and action items. Those that there are have none. */
export class CreateActionItems1796083200000 extends migrationOf(UP, DOWN) {}
