import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What members manage by themselves: invitations, transfers of ownership, deletion of organizations and folders; operators. */
export class ManageOrganizations1764720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** What is being deleted in the background is deleted here. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `ALTER TABLE users ADD COLUMN operator boolean NOT NULL DEFAULT false`,
  // Rows that remain until a job has removed or moved what belongs to them.
  `ALTER TABLE organizations ADD COLUMN deleted_at timestamptz(3)`,
  `ALTER TABLE folders ADD COLUMN deleted_at timestamptz(3)`,

  `CREATE TABLE organization_transfers (
    organization_id uuid CONSTRAINT organization_transfers_pkey PRIMARY KEY
      CONSTRAINT organization_transfers_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
    from_user_id uuid NOT NULL,
    to_user_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT organization_transfers_users_check CHECK (from_user_id <> to_user_id),
    CONSTRAINT organization_transfers_from_fkey FOREIGN KEY (organization_id, from_user_id)
      REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
    CONSTRAINT organization_transfers_to_fkey FOREIGN KEY (organization_id, to_user_id)
      REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
  )`,

  // An invitation ends with the membership of its sender.
  `CREATE TABLE invitations (
    id uuid CONSTRAINT invitations_pkey PRIMARY KEY,
    organization_id uuid NOT NULL
      CONSTRAINT invitations_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
    email text NOT NULL,
    role text NOT NULL CONSTRAINT invitations_role_check CHECK (role IN ('OWNER', 'ADMIN', 'EDITOR', 'VIEWER')),
    feature_downloads boolean NOT NULL DEFAULT true,
    feature_sharing boolean NOT NULL DEFAULT true,
    feature_transcription boolean NOT NULL DEFAULT true,
    feature_summaries boolean NOT NULL DEFAULT true,
    feature_questions boolean NOT NULL DEFAULT true,
    view_all_recordings boolean NOT NULL DEFAULT false,
    view_folder_recordings boolean NOT NULL DEFAULT true,
    language text NOT NULL CONSTRAINT invitations_language_check CHECK (language IN ('en', 'de')),
    token_hash bytea NOT NULL,
    invited_by uuid NOT NULL,
    mail_status text NOT NULL
      CONSTRAINT invitations_mail_status_check CHECK (mail_status IN ('none', 'queued', 'sent', 'failed')),
    mail_error text,
    created_at timestamptz(3) NOT NULL,
    sent_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT invitations_organization_id_id_key UNIQUE (organization_id, id),
    CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (organization_id, invited_by)
      REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
  )`,
  `CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash)`,
  `CREATE UNIQUE INDEX invitations_email_key ON invitations (organization_id, lower(email))`,
  `CREATE INDEX invitations_list_idx ON invitations (organization_id, created_at DESC, id DESC)`,
  `CREATE INDEX invitations_invited_by_idx ON invitations (organization_id, invited_by)`,
  `CREATE TABLE invitation_folders (
    invitation_id uuid NOT NULL,
    folder_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    CONSTRAINT invitation_folders_pkey PRIMARY KEY (invitation_id, folder_id),
    CONSTRAINT invitation_folders_invitation_fkey FOREIGN KEY (organization_id, invitation_id)
      REFERENCES invitations (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT invitation_folders_folder_fkey FOREIGN KEY (organization_id, folder_id)
      REFERENCES folders (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX invitation_folders_folder_idx ON invitation_folders (organization_id, folder_id)`,

  // Rows of earlier days are deleted with the sender's next email.
  `CREATE TABLE emailed_recipients (
    user_id uuid NOT NULL CONSTRAINT emailed_recipients_user_id_fkey REFERENCES users ON DELETE CASCADE,
    recipient text NOT NULL,
    day date NOT NULL,
    emails integer NOT NULL,
    CONSTRAINT emailed_recipients_pkey PRIMARY KEY (user_id, recipient)
  )`,

  // What was shared by members of one organization is not theirs to share in another. As with members who leave, no operation
  // that moves recordings can forget it.
  `CREATE FUNCTION end_share_links_of_moved_recording() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     DELETE FROM share_links WHERE recording_id = NEW.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER recordings_end_share_links AFTER UPDATE OF organization_id ON recordings
     FOR EACH ROW WHEN (OLD.organization_id IS DISTINCT FROM NEW.organization_id)
     EXECUTE FUNCTION end_share_links_of_moved_recording()`,

  // The lists of an organization's members and of all users, in their order.
  `CREATE INDEX users_list_idx ON users (created_at DESC, id DESC)`,
  `CREATE INDEX users_search_idx ON users USING gin (lower(name || ' ' || email) gin_trgm_ops)`,
];

const DOWN = [
  `DROP TRIGGER recordings_end_share_links ON recordings`,
  `DROP FUNCTION end_share_links_of_moved_recording`,
  `DROP TABLE emailed_recipients`,
  `DROP INDEX users_search_idx`,
  `DROP INDEX users_list_idx`,
  `DROP TABLE invitation_folders`,
  `DROP TABLE invitations`,
  `DROP TABLE organization_transfers`,
  // Their files are removed by the jobs that deletions schedule.
  `DO $$ BEGIN
     IF to_regnamespace('graphile_worker') IS NOT NULL THEN
       PERFORM graphile_worker.add_job('media.tidy', json_build_object('recordingId', r.id))
       FROM recordings r JOIN organizations o ON o.id = r.organization_id WHERE o.deleted_at IS NOT NULL;
     END IF;
   END $$`,
  `UPDATE recordings r SET folder_id = NULL FROM folders f WHERE f.id = r.folder_id AND f.deleted_at IS NOT NULL`,
  `DELETE FROM recordings r USING organizations o WHERE o.id = r.organization_id AND o.deleted_at IS NOT NULL`,
  `DELETE FROM folders WHERE deleted_at IS NOT NULL`,
  `DELETE FROM organizations WHERE deleted_at IS NOT NULL`,
  `ALTER TABLE folders DROP COLUMN deleted_at`,
  `ALTER TABLE organizations DROP COLUMN deleted_at`,
  `ALTER TABLE users DROP COLUMN operator`,
];
