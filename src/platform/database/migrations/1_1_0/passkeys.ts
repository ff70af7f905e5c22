import { logChanges } from '../../log-changes.js';
import { ofOrganization } from '../1_0_0/change-triggers.js';
import type { Topic } from '../1_0_0/topic.js';

const LOGGED = logChanges([
  {
    table: 'passkeys',
    log: ofOrganization({ target: 'row.id', user: 'row.user_id' }),
    changes: [
      { on: 'INSERT', type: 'passkey.added' },
      // Not with its user, whose deletion is logged.
      { on: 'DELETE', type: 'passkey.removed', when: 'EXISTS (SELECT FROM users WHERE id = OLD.user_id)' },
    ],
  },
]);

/** People sign in with passkeys. */
export const PASSKEYS: Topic = {
  up: [
    `CREATE TABLE passkeys (
       id uuid CONSTRAINT passkeys_pkey PRIMARY KEY,
       user_id uuid NOT NULL CONSTRAINT passkeys_user_id_fkey REFERENCES users ON DELETE CASCADE,
       credential_id bytea NOT NULL,
       public_key bytea NOT NULL,
       counter bigint NOT NULL,
       transports text[] NOT NULL,
       name text NOT NULL,
       backed_up boolean NOT NULL,
       created_at timestamptz(3) NOT NULL,
       last_used_at timestamptz(3)
     )`,
    'CREATE INDEX passkeys_user_id_idx ON passkeys (user_id)',
    'CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id)',
    ...LOGGED.up,
  ],
  down: [...LOGGED.down, 'DROP TABLE passkeys'],
};
