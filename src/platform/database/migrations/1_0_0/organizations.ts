import { FEATURE_COLUMNS, rightColumns, type Topic } from './topic.js';

export const ORGANIZATIONS: Topic = {
  up: [
    // A deleted one, or a deleted folder, remains until a job has removed or moved what belongs to it.
    `CREATE TABLE organizations (
      id uuid CONSTRAINT organizations_pkey PRIMARY KEY,
      name text NOT NULL,
      plan text NOT NULL CONSTRAINT organizations_plan_check CHECK (plan IN ('FREE', 'PRO', 'ENTERPRISE')),
      subscription_status text NOT NULL DEFAULT 'active' CONSTRAINT organizations_subscription_status_check
        CHECK (subscription_status IN ('active', 'trialing', 'past_due', 'canceled', 'expired')),
      subscription_ends_at timestamptz(3),
      ${FEATURE_COLUMNS},
      members_may_take_recordings boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      deleted_at timestamptz(3)
    )`,

    `CREATE TABLE organization_members (
      organization_id uuid NOT NULL
        CONSTRAINT organization_members_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      user_id uuid NOT NULL CONSTRAINT organization_members_user_id_fkey REFERENCES users ON DELETE CASCADE,
      ${rightColumns('organization_members')},
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT organization_members_pkey PRIMARY KEY (organization_id, user_id)
    )`,
    `CREATE INDEX organization_members_user_id_idx ON organization_members (user_id)`,
    `CREATE INDEX organization_members_see_all_idx ON organization_members (organization_id, user_id)
      WHERE role IN ('OWNER', 'ADMIN') OR view_all_recordings`,

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

    `CREATE TABLE folders (
      id uuid CONSTRAINT folders_pkey PRIMARY KEY,
      organization_id uuid NOT NULL CONSTRAINT folders_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      name text NOT NULL,
      active boolean NOT NULL DEFAULT true,
      restricted boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      deleted_at timestamptz(3),
      CONSTRAINT folders_organization_id_id_key UNIQUE (organization_id, id),
      CONSTRAINT folders_organization_id_name_key UNIQUE (organization_id, name)
    )`,
    `CREATE TABLE folder_members (
      folder_id uuid NOT NULL,
      user_id uuid NOT NULL,
      organization_id uuid NOT NULL,
      CONSTRAINT folder_members_pkey PRIMARY KEY (folder_id, user_id),
      CONSTRAINT folder_members_folder_fkey FOREIGN KEY (organization_id, folder_id)
        REFERENCES folders (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT folder_members_member_fkey FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
    )`,
    `CREATE INDEX folder_members_organization_id_user_id_idx ON folder_members (organization_id, user_id)`,

    // An invitation ends with the membership of its sender.
    `CREATE TABLE invitations (
      id uuid CONSTRAINT invitations_pkey PRIMARY KEY,
      organization_id uuid NOT NULL
        CONSTRAINT invitations_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      email text NOT NULL,
      ${rightColumns('invitations')},
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
  ],
  down: [
    `DROP TABLE invitation_folders, invitations, folder_members, folders, organization_transfers, organization_members,
       organizations`,
  ],
};
