import { changeTriggers, type LoggedTable } from '../../1_0_0/change-triggers.js';
import { LOGGED_RECORDINGS } from '../../1_0_0/logged-recordings.js';
import { triggerFunction, type Topic } from '../../1_0_0/topic.js';
import { RECORDINGS_WITH_EXTERNAL_IDS } from '../external-ids.js';
import { released, replacing } from '../released.js';

const [RELEASED] = LOGGED_RECORDINGS as readonly [LoggedTable];
const RECORDINGS = RECORDINGS_WITH_EXTERNAL_IDS;
const DELETED = 'OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL';
const RESTORED = 'OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL';

/** Putting a recording into the bin is its deletion. */
const WITH_BIN: LoggedTable = {
  ...RECORDINGS,
  columns: [...(RECORDINGS.columns ?? []), 'deleted_at'],
  except: `(${RECORDINGS.except} AND NEW.deleted_at IS NULL) OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NOT NULL)`,
  changes: [
    { on: 'UPDATE', before: true, type: 'recording.deleted', when: DELETED, alone: true },
    { on: 'UPDATE', type: 'recording.restored', when: RESTORED, alone: true },
    {
      on: 'DELETE',
      type: 'recording.purged',
      when: 'OLD.deleted_at IS NOT NULL',
      alone: true,
      details: `'{"removes": "all", "rule": null}'`,
    },
    ...RECORDINGS.changes,
  ],
};

const triggersOf = (table: LoggedTable): readonly string[] => changeTriggers([table]).up.slice(-2);

const LOGGED = triggersOf(RELEASED);
const LOGGED_WITH_BIN = triggersOf(WITH_BIN);

const QUOTA_FUNCTIONS = ['quota_count_recordings', 'quota_count_changed_recording', 'quota_count_upload'];
const QUOTA_TRIGGER = released('TRIGGER', 'recordings_quota_changed');

/** What is in the bin counts towards the quota until it is purged. */
const withBin = (statement: string): string =>
  statement
    .replaceAll(
      /COALESCE\((\w+)\.organization_id, \1\.owner_id\)/g,
      'COALESCE($1.organization_id, $1.owner_id, $1.deleted_organization_id, $1.deleted_owner_id)',
    )
    .replace(
      'OF organization_id, owner_id,',
      'OF organization_id, owner_id, deleted_organization_id, deleted_owner_id,',
    );

const LOG = released('FUNCTION', 'log_recording_change');

const END_SHARE_LINKS = released('TRIGGER', 'recordings_end_share_links');

/**
 * The bin. A recording in it belongs to nobody and to no organization, so that no read can find it; the columns say where
 * it was, and until when it can be restored.
 */
export const BIN: Topic = {
  up: [
    `ALTER TABLE recordings
       ADD deleted_at timestamptz(3),
       ADD deleted_owner_id uuid CONSTRAINT recordings_deleted_owner_id_fkey REFERENCES users ON DELETE SET NULL,
       ADD deleted_organization_id uuid
         CONSTRAINT recordings_deleted_organization_id_fkey REFERENCES organizations ON DELETE RESTRICT,
       ADD deleted_folder_id uuid,
       ADD purge_at timestamptz(3),
       ADD CONSTRAINT recordings_deleted_check CHECK ((deleted_at IS NULL) = (purge_at IS NULL)
         AND (deleted_at IS NULL OR (owner_id IS NULL AND organization_id IS NULL AND folder_id IS NULL)))`,
    `CREATE INDEX recordings_deleted_owner_idx ON recordings (deleted_owner_id, deleted_at, id)
       WHERE deleted_owner_id IS NOT NULL`,
    `CREATE INDEX recordings_deleted_organization_idx ON recordings (deleted_organization_id, deleted_at, id)
       WHERE deleted_organization_id IS NOT NULL`,
    `CREATE INDEX recordings_purge_at_idx ON recordings (purge_at) WHERE purge_at IS NOT NULL`,

    'ALTER TABLE organizations ADD bin_days integer CONSTRAINT organizations_bin_days_check CHECK (bin_days BETWEEN 0 AND 365)',
    triggerFunction(
      'log_bin_days',
      `PERFORM log_organization_change('organization.updated', NEW.id, NEW.id, NULL, '{"fields": ["bin_days"]}');`,
    ),
    `CREATE TRIGGER organizations_bin_days_log AFTER UPDATE OF bin_days ON organizations
       FOR EACH ROW WHEN (OLD.bin_days IS DISTINCT FROM NEW.bin_days) EXECUTE FUNCTION log_bin_days()`,

    // The recording where it is, or where it was before it was deleted.
    `CREATE FUNCTION recording_place(r recordings) RETURNS recordings LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
       IF r.deleted_at IS NOT NULL THEN
         r.owner_id := r.deleted_owner_id;
         r.organization_id := r.deleted_organization_id;
         r.folder_id := r.deleted_folder_id;
       END IF;
       RETURN r;
     END $$`,
    replacing(LOG.replace('BEGIN', 'BEGIN r := recording_place(r);')),
    'DROP TRIGGER recordings_log ON recordings',
    ...LOGGED_WITH_BIN.map(replacing),

    'DROP TRIGGER recordings_quota_changed ON recordings',
    ...QUOTA_FUNCTIONS.map((name) => replacing(withBin(released('FUNCTION', name)))),
    withBin(QUOTA_TRIGGER),

    // The links wait in the bin, too.
    'DROP TRIGGER recordings_end_share_links ON recordings',
    END_SHARE_LINKS.replace('WHEN (', 'WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND '),
  ],
  down: [
    // 1.0.0 has no bin: nothing in it is lost.
    `UPDATE recordings SET owner_id = deleted_owner_id, organization_id = deleted_organization_id, deleted_at = NULL,
       purge_at = NULL WHERE deleted_at IS NOT NULL`,
    'DROP TRIGGER recordings_end_share_links ON recordings',
    END_SHARE_LINKS,
    'DROP TRIGGER recordings_quota_changed ON recordings',
    ...QUOTA_FUNCTIONS.map((name) => replacing(released('FUNCTION', name))),
    QUOTA_TRIGGER,
    'DROP TRIGGER recordings_log ON recordings',
    ...LOGGED.map(replacing),
    replacing(LOG),
    'DROP FUNCTION recording_place, log_bin_days CASCADE',
    'ALTER TABLE organizations DROP bin_days',
    `ALTER TABLE recordings DROP deleted_at, DROP deleted_owner_id, DROP deleted_organization_id,
       DROP deleted_folder_id, DROP purge_at`,
  ],
};
