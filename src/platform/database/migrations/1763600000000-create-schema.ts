import type { MigrationInterface, QueryRunner } from 'typeorm';

const SWITCHES = `
  feature_downloads boolean NOT NULL DEFAULT true,
  feature_sharing boolean NOT NULL DEFAULT true,
  feature_transcription boolean NOT NULL DEFAULT true,
  feature_summaries boolean NOT NULL DEFAULT true,
  feature_questions boolean NOT NULL DEFAULT true`;

/** Tables of the six modules, with the indexes that serve the list of recordings. */
export class CreateSchema1763600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** `pg_trgm` stays: others may use it, and it may have been there before. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE ${table}`);
  }
}

const TABLES = [
  'share_links',
  'summaries',
  'transcript_chunks',
  'transcripts',
  'recordings',
  'folder_members',
  'folders',
  'organization_members',
  'organizations',
  'api_keys',
  'users',
];

const UP = [
  `CREATE TABLE users (
    id uuid CONSTRAINT users_pkey PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    plan text NOT NULL CONSTRAINT users_plan_check CHECK (plan IN ('FREE', 'PRO')),
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE UNIQUE INDEX users_email_key ON users (lower(email))`,

  `CREATE TABLE api_keys (
    id uuid CONSTRAINT api_keys_pkey PRIMARY KEY,
    user_id uuid CONSTRAINT api_keys_user_id_fkey REFERENCES users ON DELETE SET NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash)`,
  `CREATE INDEX api_keys_user_id_idx ON api_keys (user_id)`,

  `CREATE TABLE organizations (
    id uuid CONSTRAINT organizations_pkey PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL CONSTRAINT organizations_plan_check CHECK (plan IN ('FREE', 'PRO', 'ENTERPRISE')),
    subscription_status text NOT NULL DEFAULT 'active' CONSTRAINT organizations_subscription_status_check
      CHECK (subscription_status IN ('active', 'trialing', 'past_due', 'canceled', 'expired')),
    subscription_ends_at timestamptz(3),
    ${SWITCHES},
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE organization_members (
    organization_id uuid NOT NULL
      CONSTRAINT organization_members_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT organization_members_user_id_fkey REFERENCES users ON DELETE CASCADE,
    role text NOT NULL
      CONSTRAINT organization_members_role_check CHECK (role IN ('OWNER', 'ADMIN', 'EDITOR', 'VIEWER')),
    ${SWITCHES},
    view_all_recordings boolean NOT NULL DEFAULT false,
    view_folder_recordings boolean NOT NULL DEFAULT true,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT organization_members_pkey PRIMARY KEY (organization_id, user_id)
  )`,
  `CREATE INDEX organization_members_user_id_idx ON organization_members (user_id)`,

  `CREATE TABLE folders (
    id uuid CONSTRAINT folders_pkey PRIMARY KEY,
    organization_id uuid NOT NULL CONSTRAINT folders_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL,
    active boolean NOT NULL DEFAULT true,
    restricted boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
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

  `CREATE TABLE recordings (
    id uuid CONSTRAINT recordings_pkey PRIMARY KEY,
    owner_id uuid CONSTRAINT recordings_owner_id_fkey REFERENCES users ON DELETE SET NULL,
    organization_id uuid CONSTRAINT recordings_organization_id_fkey REFERENCES organizations ON DELETE RESTRICT,
    folder_id uuid,
    title text NOT NULL,
    status text NOT NULL CONSTRAINT recordings_status_check CHECK (status IN ('STARTING', 'CONNECTING',
      'WAIT_APPROVAL', 'RECORDING', 'UPLOADING', 'PROCESSING', 'TRANSCODING', 'MIGRATING', 'COMPLETED', 'ERROR')),
    progress double precision NOT NULL
      CONSTRAINT recordings_progress_check CHECK (progress >= 0 AND progress <= 1),
    notes text NOT NULL DEFAULT '',
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    ended_at timestamptz(3),
    media_key text,
    media_type text,
    media_sha256 text,
    CONSTRAINT recordings_folder_check CHECK (folder_id IS NULL OR organization_id IS NOT NULL),
    CONSTRAINT recordings_folder_fkey FOREIGN KEY (organization_id, folder_id)
      REFERENCES folders (organization_id, id) ON DELETE RESTRICT
  )`,
  `CREATE INDEX recordings_owner_id_idx ON recordings (owner_id)`,
  `CREATE UNIQUE INDEX recordings_media_key_key ON recordings (media_key)`,
  // What a filter or a count asks besides is included, so that both read the index alone. Personal recordings stand in
  // an index of their own only, so that the planner cannot look for one owner's among those of everybody.
  `CREATE INDEX recordings_personal_idx ON recordings (owner_id, created_at DESC, id) INCLUDE (status)
    WHERE organization_id IS NULL`,
  `CREATE INDEX recordings_organization_idx ON recordings (organization_id, created_at DESC, id)
    WHERE organization_id IS NOT NULL`,
  `CREATE INDEX recordings_organization_owner_idx
    ON recordings (organization_id, owner_id, created_at DESC, id) INCLUDE (status)
    WHERE organization_id IS NOT NULL`,
  `CREATE INDEX recordings_organization_status_idx
    ON recordings (organization_id, status, created_at DESC, id) WHERE organization_id IS NOT NULL`,
  `CREATE INDEX recordings_folder_idx ON recordings (folder_id, created_at DESC, id) INCLUDE (owner_id, status)`,
  `CREATE INDEX recordings_title_trgm_idx ON recordings USING gin (title gin_trgm_ops)`,

  `CREATE TABLE transcripts (
    recording_id uuid CONSTRAINT transcripts_pkey PRIMARY KEY
      CONSTRAINT transcripts_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
    status text NOT NULL CONSTRAINT transcripts_status_check
      CHECK (status IN ('not_started', 'processing', 'completed', 'failed')),
    language text,
    speakers text[] NOT NULL,
    segments_count integer NOT NULL,
    duration double precision NOT NULL
  )`,
  `CREATE TABLE transcript_chunks (
    recording_id uuid NOT NULL
      CONSTRAINT transcript_chunks_recording_id_fkey REFERENCES transcripts ON DELETE CASCADE,
    chunk_index integer NOT NULL,
    segments json NOT NULL,
    CONSTRAINT transcript_chunks_pkey PRIMARY KEY (recording_id, chunk_index)
  )`,
  `CREATE TABLE summaries (
    recording_id uuid CONSTRAINT summaries_pkey PRIMARY KEY
      CONSTRAINT summaries_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
    status text NOT NULL CONSTRAINT summaries_status_check
      CHECK (status IN ('not_started', 'processing', 'completed', 'failed')),
    content text,
    topics json NOT NULL DEFAULT '[]'
  )`,
  `CREATE TABLE share_links (
    id uuid CONSTRAINT share_links_pkey PRIMARY KEY,
    recording_id uuid NOT NULL CONSTRAINT share_links_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
    permission text NOT NULL CONSTRAINT share_links_permission_check CHECK (permission IN ('view', 'download')),
    token text NOT NULL,
    created_by uuid CONSTRAINT share_links_created_by_fkey REFERENCES users ON DELETE SET NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT share_links_recording_id_permission_key UNIQUE (recording_id, permission)
  )`,
  `CREATE UNIQUE INDEX share_links_token_key ON share_links (token)`,
  `CREATE INDEX share_links_created_by_idx ON share_links (created_by)`,
];
