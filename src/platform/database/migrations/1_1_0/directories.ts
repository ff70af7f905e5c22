import type { Topic } from '../1_0_0/topic.js';

/** Directories of organizations (SCIM): the people and groups that they name. */
export const DIRECTORIES: Topic = {
  up: [
    `CREATE TABLE directory_users (
       organization_id uuid NOT NULL CONSTRAINT directory_users_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
       user_id uuid NOT NULL CONSTRAINT directory_users_user_id_fkey REFERENCES users ON DELETE CASCADE,
       external_id text,
       user_name text NOT NULL,
       email text NOT NULL,
       display_name text,
       formatted_name text,
       given_name text,
       family_name text,
       active boolean NOT NULL,
       link text NOT NULL CONSTRAINT directory_users_link_check CHECK (link IN ('created', 'member', 'linked')),
       created_at timestamptz(3) NOT NULL,
       updated_at timestamptz(3) NOT NULL,
       CONSTRAINT directory_users_pkey PRIMARY KEY (organization_id, user_id),
       CONSTRAINT directory_users_external_id_key UNIQUE (organization_id, external_id)
     )`,
    'CREATE UNIQUE INDEX directory_users_user_name_key ON directory_users (organization_id, lower(user_name))',
    'CREATE INDEX directory_users_email_idx ON directory_users (organization_id, lower(email))',
    'CREATE INDEX directory_users_list_idx ON directory_users (organization_id, created_at, user_id)',
    'CREATE INDEX directory_users_user_id_idx ON directory_users (user_id)',
    `CREATE TABLE directory_groups (
       id uuid CONSTRAINT directory_groups_pkey PRIMARY KEY,
       organization_id uuid NOT NULL CONSTRAINT directory_groups_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
       external_id text,
       display_name text NOT NULL,
       created_at timestamptz(3) NOT NULL,
       updated_at timestamptz(3) NOT NULL,
       CONSTRAINT directory_groups_organization_id_id_key UNIQUE (organization_id, id),
       CONSTRAINT directory_groups_external_id_key UNIQUE (organization_id, external_id)
     )`,
    'CREATE UNIQUE INDEX directory_groups_display_name_key ON directory_groups (organization_id, lower(display_name))',
    `CREATE TABLE directory_group_members (
       organization_id uuid NOT NULL,
       group_id uuid NOT NULL,
       user_id uuid NOT NULL,
       CONSTRAINT directory_group_members_pkey PRIMARY KEY (group_id, user_id),
       CONSTRAINT directory_group_members_group_fkey FOREIGN KEY (organization_id, group_id)
         REFERENCES directory_groups (organization_id, id) ON DELETE CASCADE,
       CONSTRAINT directory_group_members_user_fkey FOREIGN KEY (organization_id, user_id)
         REFERENCES directory_users (organization_id, user_id) ON DELETE CASCADE
     )`,
    'CREATE INDEX directory_group_members_user_idx ON directory_group_members (organization_id, user_id)',
  ],
  down: ['DROP TABLE directory_group_members', 'DROP TABLE directory_groups', 'DROP TABLE directory_users'],
};
