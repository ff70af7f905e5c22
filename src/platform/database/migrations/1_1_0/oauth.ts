import { logChanges } from '../../log-changes.js';
import { ofOrganization } from '../1_0_0/change-triggers.js';
import type { Topic } from '../1_0_0/topic.js';

/** Its connections end with a client, also with its organization. */
const DISCONNECT = `UPDATE api_keys SET revoked_at = now() WHERE oauth_client = OLD.id::text AND revoked_at IS NULL`;

const NAMED = (row: string): string => `jsonb_build_object('name', ${row}.name)`;

/** Clients that register themselves are not logged: anybody can be one, and the connections that people make are logged. */
const LOGGED = logChanges([
  {
    table: 'oauth_clients',
    log: ofOrganization({ organization: 'row.organization_id', target: 'row.id' }),
    changes: [
      { on: 'INSERT', type: 'oauth_client.created', when: 'NOT NEW.dynamic', details: NAMED('NEW') },
      {
        on: 'DELETE',
        type: 'oauth_client.deleted',
        when: 'NOT OLD.dynamic',
        details: NAMED('OLD'),
        afterwards: DISCONNECT,
      },
    ],
  },
]);

/** The authorization server. Connections are rows of `api_keys`. */
export const OAUTH: Topic = {
  up: [
    `CREATE TABLE oauth_clients (
       id uuid CONSTRAINT oauth_clients_pkey PRIMARY KEY,
       organization_id uuid CONSTRAINT oauth_clients_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
       dynamic boolean NOT NULL,
       name text NOT NULL,
       metadata jsonb NOT NULL,
       secret_hash bytea,
       created_at timestamptz(3) NOT NULL
     )`,
    'CREATE INDEX oauth_clients_organization_id_idx ON oauth_clients (organization_id)',
    'CREATE INDEX oauth_clients_dynamic_idx ON oauth_clients (created_at) WHERE dynamic',
    `CREATE TABLE oauth_artifacts (
       kind text,
       hash bytea,
       connection_id uuid CONSTRAINT oauth_artifacts_connection_id_fkey REFERENCES api_keys ON DELETE CASCADE,
       user_code bytea,
       payload jsonb NOT NULL,
       consumed_at timestamptz(3),
       expires_at timestamptz(3) NOT NULL,
       CONSTRAINT oauth_artifacts_pkey PRIMARY KEY (kind, hash)
     )`,
    'CREATE INDEX oauth_artifacts_connection_id_idx ON oauth_artifacts (connection_id) WHERE connection_id IS NOT NULL',
    'CREATE INDEX oauth_artifacts_user_code_idx ON oauth_artifacts (user_code) WHERE user_code IS NOT NULL',
    'CREATE INDEX oauth_artifacts_expires_at_idx ON oauth_artifacts (expires_at)',
    `CREATE INDEX api_keys_oauth_client_idx ON api_keys (oauth_client) WHERE oauth_client IS NOT NULL`,
    ...LOGGED.up,
  ],
  down: [
    ...LOGGED.down,
    'DROP TABLE oauth_artifacts',
    'DROP TABLE oauth_clients',
    'DROP INDEX api_keys_oauth_client_idx',
  ],
};
