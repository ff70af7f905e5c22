import type { Topic } from '../1_0_0/topic.js';

/** People sign in; sessions are rows of `api_keys`. */
export const SIGN_IN: Topic = {
  up: [
    `CREATE TABLE one_time_secrets (
       hash bytea CONSTRAINT one_time_secrets_pkey PRIMARY KEY,
       purpose text NOT NULL,
       user_id uuid CONSTRAINT one_time_secrets_user_id_fkey REFERENCES users ON DELETE CASCADE,
       details jsonb NOT NULL DEFAULT '{}',
       expires_at timestamptz(3) NOT NULL
     )`,
    'CREATE INDEX one_time_secrets_user_id_idx ON one_time_secrets (user_id)',
    'CREATE INDEX one_time_secrets_expires_at_idx ON one_time_secrets (expires_at)',
    `CREATE TABLE identities (
       issuer text,
       subject text,
       user_id uuid NOT NULL CONSTRAINT identities_user_id_fkey REFERENCES users ON DELETE CASCADE,
       provider text NOT NULL,
       created_at timestamptz(3) NOT NULL,
       last_used_at timestamptz(3) NOT NULL,
       CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject)
     )`,
    'CREATE INDEX identities_user_id_idx ON identities (user_id)',
    // Null: by an invitation, or by hand. Otherwise who gave it, and takes it away again.
    'ALTER TABLE organization_members ADD granted_by text',
  ],
  down: [
    'ALTER TABLE organization_members DROP granted_by',
    'DROP TABLE identities',
    'DROP TABLE one_time_secrets',
  ],
};
