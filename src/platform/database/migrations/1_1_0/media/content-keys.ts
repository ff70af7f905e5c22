import { logChanges } from '../../../log-changes.js';
import { ofOrganization } from '../../1_0_0/change-triggers.js';
import { triggerFunction, type Topic } from '../../1_0_0/topic.js';

const LOGGED = logChanges([
  {
    table: 'content_keys',
    log: ofOrganization({ target: 'row.scope_id' }),
    changes: [{ on: 'DELETE', type: 'content_key.deleted' }],
  },
]);

const SCOPE = 'COALESCE(place.organization_id, place.owner_id)';

/**
 * The keys of encrypted media. That of a recording is sealed with the key of its scope: its organization, or the owner of
 * a personal one. It has no foreign key: importing stores the media first.
 */
export const CONTENT_KEYS: Topic = {
  up: [
    `CREATE TABLE content_keys (
      scope_id uuid CONSTRAINT content_keys_pkey PRIMARY KEY,
      sealing_key_id text NOT NULL,
      sealed bytea NOT NULL
    )`,
    `CREATE TABLE recording_keys (
      recording_id uuid CONSTRAINT recording_keys_pkey PRIMARY KEY,
      scope_id uuid NOT NULL,
      sealed bytea NOT NULL
    )`,
    'CREATE INDEX recording_keys_scope_id_idx ON recording_keys (scope_id)',

    // With its organization or user, but not before the last recording under legal hold that needs it.
    `CREATE FUNCTION delete_content_key(scope uuid) RETURNS void LANGUAGE sql AS $$
       DELETE FROM content_keys WHERE scope_id = scope
         AND NOT EXISTS (SELECT FROM users WHERE id = scope)
         AND NOT EXISTS (SELECT FROM organizations WHERE id = scope AND deleted_at IS NULL)
         AND NOT EXISTS (SELECT FROM recording_keys k JOIN held_recordings USING (recording_id) WHERE k.scope_id = scope)
     $$`,
    triggerFunction('delete_own_content_key', 'PERFORM delete_content_key(OLD.id);'),
    `CREATE TRIGGER users_content_key AFTER DELETE ON users
       FOR EACH ROW EXECUTE FUNCTION delete_own_content_key()`,
    `CREATE TRIGGER organizations_content_key AFTER UPDATE OF deleted_at ON organizations
       FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION delete_own_content_key()`,
    triggerFunction('delete_unused_content_key', 'PERFORM delete_content_key(OLD.scope_id);'),
    `CREATE TRIGGER recording_keys_content_key AFTER DELETE ON recording_keys
       FOR EACH ROW EXECUTE FUNCTION delete_unused_content_key()`,
    triggerFunction('delete_recording_key', 'DELETE FROM recording_keys WHERE recording_id = OLD.id;'),
    `CREATE TRIGGER recordings_delete_key AFTER DELETE ON recordings
       FOR EACH ROW EXECUTE FUNCTION delete_recording_key()`,

    // Refuses, at the end of the transaction, whatever forgot to create a key, or to seal it with that of another scope.
    triggerFunction(
      'check_recording_key',
      `IF EXISTS (SELECT FROM content_keys) AND EXISTS (
         SELECT FROM recordings r, recording_place(r) place LEFT JOIN recording_keys k ON k.recording_id = place.id
         WHERE r.id = NEW.id AND k.scope_id IS DISTINCT FROM ${SCOPE}
           AND CASE TG_OP WHEN 'INSERT' THEN true ELSE k.scope_id <> ${SCOPE} END) THEN
         RAISE EXCEPTION 'the key of recording % is not sealed for where it is', NEW.id
           USING ERRCODE = 'check_violation', CONSTRAINT = 'recording_keys_scope_check';
       END IF;`,
    ),
    `CREATE CONSTRAINT TRIGGER recordings_check_key AFTER INSERT OR UPDATE OF owner_id, organization_id ON recordings
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_recording_key()`,
    ...LOGGED.up,
  ],
  down: [
    // Without the keys, nothing could read it any more.
    `DO $$ BEGIN
       IF EXISTS (SELECT FROM recording_keys) THEN
         RAISE EXCEPTION 'media of % recordings is encrypted with CONTENT_KEY, which the older release cannot read',
           (SELECT count(*) FROM recording_keys);
       END IF;
     END $$`,
    ...LOGGED.down,
    `DROP FUNCTION check_recording_key, delete_recording_key, delete_unused_content_key, delete_own_content_key CASCADE`,
    'DROP FUNCTION delete_content_key',
    'DROP TABLE recording_keys, content_keys',
  ],
};
