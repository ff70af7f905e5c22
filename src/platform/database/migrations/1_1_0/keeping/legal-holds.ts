import { logChanges } from '../../../log-changes.js';
import { ofOrganization, values } from '../../1_0_0/change-triggers.js';
import { isChanged, triggerFunction, type Topic } from '../../1_0_0/topic.js';

const LOGGED = logChanges([
  {
    table: 'legal_holds',
    log: ofOrganization({ organization: 'row.organization_id', target: 'row.id' }),
    columns: ['lifted_at'],
    changes: [
      { on: 'INSERT', type: 'legal_hold.placed' },
      {
        on: 'UPDATE',
        type: 'legal_hold.lifted',
        when: 'OLD.lifted_at IS NULL AND NEW.lifted_at IS NOT NULL',
      },
    ],
  },
]);

const WHOLE = { on: 'DELETE', id: 'recording_id', when: 'true', value: 'to_jsonb(OLD)' };

/** What is kept of a row that is overwritten or deleted while its recording is under hold. */
const KEPT = {
  recordings: {
    on: 'UPDATE OF title, notes, external_id, metadata',
    id: 'id',
    when: isChanged(['title', 'notes', 'external_id', 'metadata']),
    value: values(['title', 'notes', 'external_id', 'metadata'])('OLD'),
  },
  action_items: { ...WHOLE, on: 'UPDATE OR DELETE', when: 'OLD IS DISTINCT FROM NEW' },
  summary_revisions: WHOLE,
  transcript_revisions: WHOLE,
  superseded_transcript_chunks: WHOLE,
} as const;

/**
 * What must be kept. Which recordings a hold covers is written down, so that none escapes by being moved, and the foreign
 * key refuses to delete them, whatever path leads there.
 */
export const LEGAL_HOLDS: Topic = {
  up: [
    `CREATE TABLE legal_holds (
      id uuid CONSTRAINT legal_holds_pkey PRIMARY KEY,
      organization_id uuid CONSTRAINT legal_holds_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      matter text NOT NULL,
      reason text NOT NULL,
      recording_ids uuid[] NOT NULL,
      folder_ids uuid[] NOT NULL,
      user_ids uuid[] NOT NULL,
      from_at timestamptz(3),
      to_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      lifted_at timestamptz(3)
    )`,
    `CREATE INDEX legal_holds_organization_id_idx ON legal_holds (organization_id, created_at, id)`,
    `CREATE INDEX legal_holds_created_at_idx ON legal_holds (created_at, id)`,
    `CREATE INDEX legal_holds_active_idx ON legal_holds (organization_id) WHERE lifted_at IS NULL`,
    `CREATE TABLE held_recordings (
      recording_id uuid NOT NULL CONSTRAINT held_recordings_recording_id_fkey REFERENCES recordings ON DELETE RESTRICT,
      hold_id uuid NOT NULL CONSTRAINT held_recordings_hold_id_fkey REFERENCES legal_holds ON DELETE CASCADE,
      CONSTRAINT held_recordings_pkey PRIMARY KEY (recording_id, hold_id)
    )`,
    `CREATE INDEX held_recordings_hold_id_idx ON held_recordings (hold_id)`,
    `CREATE TABLE held_versions (
      recording_id uuid NOT NULL CONSTRAINT held_versions_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      kind text NOT NULL,
      value jsonb NOT NULL
    )`,
    `CREATE INDEX held_versions_recording_id_idx ON held_versions (recording_id, at)`,

    // Recordings, folders and people add up; a period limits them. With none of them, it is all of the period.
    `CREATE FUNCTION is_covered_by_hold(place recordings, hold legal_holds) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
       SELECT hold.lifted_at IS NULL
         AND (hold.organization_id IS NULL OR hold.organization_id = place.organization_id)
         AND COALESCE(place.started_at, place.created_at)
           BETWEEN COALESCE(hold.from_at, '-infinity') AND COALESCE(hold.to_at, 'infinity')
         AND (cardinality(hold.recording_ids || hold.folder_ids || hold.user_ids) = 0
           OR place.id = ANY (hold.recording_ids)
           OR place.folder_id = ANY (hold.folder_ids) OR place.owner_id = ANY (hold.user_ids)) $$`,
    // The locks are those of a hold that is being placed (`lockForHold`), which does not see this row yet.
    triggerFunction(
      'hold_recording',
      `PERFORM FROM organizations WHERE id = place.organization_id FOR KEY SHARE;
       PERFORM FROM users WHERE id = place.owner_id FOR KEY SHARE;
       INSERT INTO held_recordings (recording_id, hold_id)
         SELECT NEW.id, hold.id FROM legal_holds hold WHERE is_covered_by_hold(place, hold) ON CONFLICT DO NOTHING;`,
      'place recordings := recording_place(NEW);',
    ),
    `CREATE TRIGGER recordings_hold
       AFTER INSERT OR UPDATE OF owner_id, organization_id, folder_id, created_at, started_at ON recordings
       FOR EACH ROW EXECUTE FUNCTION hold_recording()`,

    ...Object.entries(KEPT).flatMap(([table, { on, id, when, value }]) => [
      `CREATE FUNCTION keep_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF ${when} AND EXISTS (SELECT FROM held_recordings WHERE recording_id = OLD.${id}) THEN
           INSERT INTO held_versions (recording_id, kind, value) VALUES (OLD.${id}, '${table}', ${value});
         END IF;
         RETURN COALESCE(NEW, OLD);
       END $$`,
      `CREATE TRIGGER ${table}_keep BEFORE ${on} ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_${table}()`,
    ]),
    ...LOGGED.up,
  ],
  down: [
    ...LOGGED.down,
    `DROP FUNCTION hold_recording, ${Object.keys(KEPT)
      .map((table) => `keep_${table}`)
      .join(', ')} CASCADE`,
    'DROP FUNCTION is_covered_by_hold',
    'DROP TABLE held_versions, held_recordings, legal_holds',
  ],
};
