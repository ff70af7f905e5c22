import type { Topic } from './topic.js';

export const USERS: Topic = {
  up: [
    `CREATE TABLE users (
      id uuid CONSTRAINT users_pkey PRIMARY KEY,
      email text NOT NULL,
      email_verified boolean NOT NULL DEFAULT false,
      name text NOT NULL,
      plan text NOT NULL CONSTRAINT users_plan_check CHECK (plan IN ('FREE', 'PRO')),
      operator boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    )`,
    // Only addresses that are known to be a user's own are unique, and stand for them.
    `CREATE UNIQUE INDEX users_email_key ON users (lower(email)) WHERE email_verified`,
    `CREATE INDEX users_email_idx ON users (lower(email))`,
    // The lists of an organization's members and of all users, in their order.
    `CREATE INDEX users_list_idx ON users (created_at DESC, id DESC)`,
    `CREATE INDEX users_search_idx ON users USING gin (lower(name || ' ' || email) gin_trgm_ops)`,

    // Keys outlive their user, so that the reply to a request with one can say that the user no longer exists.
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

    // Requests with an `Idempotency-Key` header and their encrypted replies, for a day. The fill factor leaves room on each page
    // for the updates of a row, none of which changes an index.
    `CREATE TABLE idempotency_keys (
      id bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
      user_id uuid NOT NULL,
      request bytea NOT NULL,
      attempt uuid NOT NULL,
      changed boolean NOT NULL DEFAULT false,
      reply bytea,
      leased_until timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL
    ) WITH (fillfactor = 70)`,
    // Encrypted, so compressing it would be in vain.
    `ALTER TABLE idempotency_keys ALTER COLUMN reply SET STORAGE EXTERNAL`,
    `CREATE INDEX idempotency_keys_user_id_idx ON idempotency_keys (user_id, expires_at)`,
    `CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at)`,

    // How many emails a user has caused to a recipient, of whom only a hash is stored. Rows of other days are deleted with the
    // sender's next email.
    `CREATE TABLE emailed_recipients (
      user_id uuid NOT NULL CONSTRAINT emailed_recipients_user_id_fkey REFERENCES users ON DELETE CASCADE,
      recipient bytea NOT NULL,
      day date NOT NULL,
      emails integer NOT NULL,
      CONSTRAINT emailed_recipients_pkey PRIMARY KEY (user_id, recipient)
    )`,
  ],
  down: [`DROP TABLE emailed_recipients, idempotency_keys, api_keys, users`],
};
