import { isChanged, type Topic } from './topic.js';

/** Where the recording `r` is, which decides who sees it. A personal recording concerns its owner alone. */
const placeOf = (r: string): string => `
  ${r}.organization_id, ${r}.id, CASE WHEN ${r}.organization_id IS NULL THEN ${r}.owner_id END, ${r}.owner_id,
  ${r}.folder_id, folder_access(${r}.folder_id)`;

const COLUMNS = `type, actor_kind, actor_id, api_key_id, request_id, organization_id, recording_id, user_id, owner_id,
  folder_id, folder_access, target_id, details`;

const SOURCE = 's.kind, s.user_id, s.api_key_id, s.request_id';

const logged = (type: string, r: string, target: string, details: string): string => `
  INSERT INTO change_log (${COLUMNS})
  SELECT ${type}, ${SOURCE}, ${placeOf(r)}, ${target}, ${details}
  FROM change_source() AS s`;

const statusType = `CASE NEW.status
  WHEN 'UPLOADING' THEN 'recording.uploading' WHEN 'PROCESSING' THEN 'recording.processing'
  WHEN 'TRANSCODING' THEN 'recording.processing' WHEN 'MIGRATING' THEN 'recording.playable'
  WHEN 'COMPLETED' THEN 'recording.completed' WHEN 'ERROR' THEN 'recording.failed' ELSE 'recording.updated' END`;

const OBSERVED = ['status', 'organization_id', 'folder_id', 'owner_id', 'title', 'notes', 'media_key'];

const RECORDINGS = [
  // Null: in no folder, or in one that is inactive, which is the same.
  `CREATE FUNCTION folder_access(folder uuid) RETURNS text LANGUAGE sql STABLE AS $$
     SELECT CASE WHEN restricted THEN 'restricted' ELSE 'open' END FROM folders WHERE id = folder AND active
   $$`,
  `CREATE FUNCTION log_new_recordings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${logged(`'recording.created'`, 'r', 'r.id', `jsonb_build_object('status', r.status)`)}, added AS r
     ORDER BY r.created_at, r.id;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION log_deleted_recordings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${logged(`'recording.deleted'`, 'r', 'r.id', `'{}'`)}, removed AS r ORDER BY r.created_at, r.id;
     RETURN NULL;
   END $$`,
  // A move between organizations is logged in both, each with its own side. Personal recordings that lose their owner are about
  // to be deleted with them.
  `CREATE FUNCTION log_changed_recording() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     fields text[] := array_remove(ARRAY[
       CASE WHEN OLD.title <> NEW.title THEN 'title' END, CASE WHEN OLD.notes <> NEW.notes THEN 'notes' END,
       CASE WHEN OLD.owner_id IS DISTINCT FROM NEW.owner_id THEN 'owner_id' END,
       CASE WHEN OLD.media_key <> NEW.media_key AND OLD.status = NEW.status THEN 'media' END], NULL);
   BEGIN
     IF NEW.organization_id IS NULL AND NEW.owner_id IS NULL THEN RETURN NULL; END IF;
     IF OLD.organization_id IS DISTINCT FROM NEW.organization_id THEN
       ${logged(
         `'recording.moved'`,
         'OLD',
         'OLD.id',
         `jsonb_build_object(
           'before', jsonb_build_object('organization_id', OLD.organization_id, 'folder_id', OLD.folder_id),
           'after', jsonb_build_object('organization_id', NEW.organization_id))`,
       )};
       ${logged(
         `'recording.moved'`,
         'NEW',
         'NEW.id',
         `jsonb_build_object('before', jsonb_build_object('organization_id', OLD.organization_id),
           'after', jsonb_build_object('organization_id', NEW.organization_id, 'folder_id', NEW.folder_id))`,
       )};
     ELSIF OLD.folder_id IS DISTINCT FROM NEW.folder_id THEN
       ${logged(
         `'recording.moved'`,
         'NEW',
         'NEW.id',
         `jsonb_build_object(
           'before', jsonb_build_object('folder_id', OLD.folder_id, 'folder_access', folder_access(OLD.folder_id)),
           'after', jsonb_build_object('folder_id', NEW.folder_id))`,
       )};
     END IF;
     IF OLD.status <> NEW.status THEN
       ${logged(
         statusType,
         'NEW',
         'NEW.id',
         `jsonb_build_object('before', jsonb_build_object('status', OLD.status),
           'after', jsonb_build_object('status', NEW.status))`,
       )};
     END IF;
     IF cardinality(fields) > 0 THEN
       ${logged(
         `'recording.updated'`,
         'NEW',
         'NEW.id',
         `jsonb_build_object('fields', fields) || CASE WHEN OLD.owner_id IS DISTINCT FROM NEW.owner_id THEN
           jsonb_build_object('before', jsonb_build_object('owner_id', OLD.owner_id),
             'after', jsonb_build_object('owner_id', NEW.owner_id)) ELSE '{}' END`,
       )};
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER recordings_log_new AFTER INSERT ON recordings
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_new_recordings()`,
  `CREATE TRIGGER recordings_log_deleted AFTER DELETE ON recordings
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION log_deleted_recordings()`,
  // Most updates are of the progress, and cost nothing.
  `CREATE TRIGGER recordings_log_changed AFTER UPDATE OF ${OBSERVED.join(', ')} ON recordings
     FOR EACH ROW WHEN (${isChanged(OBSERVED)})
     EXECUTE FUNCTION log_changed_recording()`,
];

/** A failed attempt leaves earlier content in place: the status is completed then, with a reason. */
const contentFailed = (table: string, type: string): readonly string[] => [
  `CREATE FUNCTION log_failed_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${logged(`'${type}.failed'`, 'r', 'r.id', `'{}'`)}, recordings AS r WHERE r.id = NEW.recording_id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER ${table}_log_failed AFTER UPDATE OF status ON ${table}
     FOR EACH ROW WHEN (OLD.status = 'processing' AND NEW.status <> 'processing' AND NEW.status_reason IS NOT NULL)
     EXECUTE FUNCTION log_failed_${table}()`,
];

const CONTENT = [
  ...contentFailed('transcripts', 'transcript'),
  ...contentFailed('summaries', 'summary'),
  // Every change of a transcript's text adds a revision.
  `CREATE FUNCTION log_transcript_revision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${logged(
       `CASE WHEN NEW.cause IN ('import', 'transcription') THEN 'transcript.completed' ELSE 'transcript.corrected' END`,
       'r',
       'r.id',
       `jsonb_build_object('cause', NEW.cause, 'revision', NEW.revision)`,
     )}, recordings AS r WHERE r.id = NEW.recording_id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER transcript_revisions_log AFTER INSERT ON transcript_revisions
     FOR EACH ROW EXECUTE FUNCTION log_transcript_revision()`,
  `CREATE FUNCTION log_summary() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${logged(`'summary.completed'`, 'r', 'r.id', `jsonb_build_object('revision', NEW.revision)`)}, recordings AS r
     WHERE r.id = NEW.recording_id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER summaries_log_new AFTER INSERT ON summaries
     FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION log_summary()`,
  `CREATE TRIGGER summaries_log_changed AFTER UPDATE OF status, content, topics ON summaries
     FOR EACH ROW WHEN (NEW.status = 'completed' AND NEW.status_reason IS NULL AND OLD.revision <> NEW.revision)
     EXECUTE FUNCTION log_summary()`,
];

/** What a link permits; never its token, its label or its password. */
const permits = (link: string): string => `jsonb_build_object('permission', ${link}.permission,
  'expires_at', to_char(${link}.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'has_password', ${link}.password_hash IS NOT NULL, 'created_by', ${link}.created_by)`;

const SHARED = ['permission', 'expires_at', 'password_hash', 'label', 'created_by'];

const loggedLink = (name: string, type: string, link: string, details: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${logged(`'${type}'`, 'r', `${link}.id`, details)}, recordings AS r WHERE r.id = ${link}.recording_id;
     RETURN NULL;
   END $$`;

const SHARE_LINKS = [
  loggedLink(
    'log_new_share_link',
    'share_link.created',
    'NEW',
    `jsonb_build_object('after', ${permits('NEW')})`,
  ),
  loggedLink(
    'log_changed_share_link',
    'share_link.changed',
    'NEW',
    `jsonb_build_object('before', ${permits('OLD')}, 'after', ${permits('NEW')})`,
  ),
  // With the recording, all of its links end: the deletion of the recording says so.
  loggedLink(
    'log_revoked_share_link',
    'share_link.revoked',
    'OLD',
    `jsonb_build_object('before', ${permits('OLD')})`,
  ),
  `CREATE FUNCTION log_opened_share_link() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO change_log (${COLUMNS})
     SELECT 'share_link.opened_first', 'recipient', NULL, NULL, NULL, ${placeOf('r')}, NEW.id, '{}'
     FROM recordings AS r WHERE r.id = NEW.recording_id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER share_links_log_new AFTER INSERT ON share_links
     FOR EACH ROW EXECUTE FUNCTION log_new_share_link()`,
  `CREATE TRIGGER share_links_log_changed AFTER UPDATE OF ${SHARED.join(', ')} ON share_links
     FOR EACH ROW WHEN (${isChanged(SHARED)})
     EXECUTE FUNCTION log_changed_share_link()`,
  `CREATE TRIGGER share_links_log_opened AFTER UPDATE OF view_count ON share_links
     FOR EACH ROW WHEN (OLD.view_count = 0 AND NEW.view_count > 0) EXECUTE FUNCTION log_opened_share_link()`,
  `CREATE TRIGGER share_links_log_revoked AFTER DELETE ON share_links
     FOR EACH ROW EXECUTE FUNCTION log_revoked_share_link()`,
];

/** Writes what happens to recordings, their transcripts, summaries and share links to the change log. */
export const RECORDING_CHANGES: Topic = {
  up: [...RECORDINGS, ...CONTENT, ...SHARE_LINKS],
  down: [
    `DROP FUNCTION log_failed_transcripts, log_failed_summaries, log_changed_recording, log_changed_share_link, log_deleted_recordings, log_new_recordings, log_new_share_link, log_opened_share_link, log_revoked_share_link, log_summary, log_transcript_revision, folder_access CASCADE`,
  ],
};
