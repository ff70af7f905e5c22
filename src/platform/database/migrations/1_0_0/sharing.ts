import { triggerFunction, type Topic } from './topic.js';

export const SHARING: Topic = {
  up: [
    // A link is found by the hash of its token; the token is encrypted, so that it can be shown again. A link ends with its
    // creator: with the user, and for an organization's recording with their membership. At most one link of a recording and
    // permission is plain, that is without expiry, password and label.
    `CREATE TABLE share_links (
      id uuid CONSTRAINT share_links_pkey PRIMARY KEY,
      recording_id uuid NOT NULL CONSTRAINT share_links_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      organization_id uuid,
      permission text NOT NULL CONSTRAINT share_links_permission_check CHECK (permission IN ('view', 'download')),
      plain boolean NOT NULL,
      label text,
      token_hash bytea NOT NULL,
      token_sealed bytea NOT NULL,
      sealing_key_id text NOT NULL
        CONSTRAINT share_links_sealing_key_id_fkey REFERENCES sealing_keys ON DELETE RESTRICT,
      password_hash text,
      created_by uuid NOT NULL CONSTRAINT share_links_created_by_fkey REFERENCES users ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3),
      view_count integer NOT NULL DEFAULT 0,
      last_viewed_at timestamptz(3),
      CONSTRAINT share_links_member_fkey FOREIGN KEY (organization_id, created_by)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
    )`,
    `CREATE UNIQUE INDEX share_links_token_hash_key ON share_links (token_hash)`,
    `CREATE UNIQUE INDEX share_links_plain_key ON share_links (recording_id, permission) WHERE plain`,
    `CREATE INDEX share_links_recording_id_idx ON share_links (recording_id)`,
    `CREATE INDEX share_links_created_by_idx ON share_links (created_by)`,

    // Exact also for requests at the same time, and in one round trip. A statement sees the database as it was when the statement
    // began, before it waited for a lock; those inside a `VOLATILE` function each see it anew. So the count behind the lock includes
    // every link of the previous holder of the lock.
    `CREATE FUNCTION has_room_for_share_link(
       of_recording uuid, of_permission text, is_plain boolean, most integer
     ) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN
       PERFORM FROM recordings WHERE id = of_recording FOR NO KEY UPDATE;
       RETURN (SELECT count(*) < most FROM share_links WHERE recording_id = of_recording)
         OR is_plain AND EXISTS (
           SELECT FROM share_links WHERE recording_id = of_recording AND permission = of_permission AND plain);
     END $$`,

    // What was shared by members of one organization is not theirs to share in another. As with members who leave, no operation
    // that moves recordings can forget it.
    triggerFunction(
      'end_share_links_of_moved_recording',
      'DELETE FROM share_links WHERE recording_id = NEW.id;',
    ),
    `CREATE TRIGGER recordings_end_share_links AFTER UPDATE OF organization_id ON recordings
       FOR EACH ROW WHEN (OLD.organization_id IS DISTINCT FROM NEW.organization_id)
       EXECUTE FUNCTION end_share_links_of_moved_recording()`,
  ],
  down: [
    `DROP FUNCTION end_share_links_of_moved_recording, has_room_for_share_link CASCADE`,
    `DROP TABLE share_links`,
  ],
};
