import { migrationOf } from '../../migration-of.js';
import { logChanges } from '../../log-changes.js';
import { fieldsChanged, ofOrganization, type LoggedTable } from '../1_0_0/change-triggers.js';

const PREFIX = `jsonb_build_object('prefix', NEW.prefix)`;
/** Streams of events ask again what their key may do. */
const ASK_AGAIN = `PERFORM pg_notify('access', NEW.user_id::text)`;

const LOGGED = {
  table: 'api_keys',
  log: ofOrganization({ target: 'row.id', user: 'row.user_id' }),
} as const;

const CREATED = { on: 'INSERT', type: 'api_key.created', details: PREFIX } as const;
const REVOKED = {
  on: 'UPDATE',
  type: 'api_key.revoked',
  when: 'OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL',
  details: PREFIX,
  afterwards: ASK_AGAIN,
} as const;

const LIMITS = ['scopes', 'organization_ids', 'folder_ids', 'addresses'];

const BEFORE: LoggedTable = { ...LOGGED, columns: ['revoked_at'], changes: [CREATED, REVOKED] };

const AFTER: LoggedTable = {
  ...LOGGED,
  columns: ['revoked_at', 'replaced_by', 'name', ...LIMITS, 'expires_at'],
  changes: [
    CREATED,
    REVOKED,
    {
      on: 'UPDATE',
      type: 'api_key.rotated',
      when: 'OLD.replaced_by IS NULL AND NEW.replaced_by IS NOT NULL',
      alone: true,
      details: `${PREFIX} || jsonb_build_object('replaced_by', NEW.replaced_by)`,
      afterwards: ASK_AGAIN,
    },
    {
      // Cleared with its user, whose deletion is logged.
      ...fieldsChanged('api_key.updated', {
        name: `OLD.name <> NEW.name AND NEW.name <> ''`,
        ...Object.fromEntries(
          [...LIMITS, 'expires_at'].map((name) => [name, `OLD.${name} IS DISTINCT FROM NEW.${name}`]),
        ),
      }),
      afterwards: ASK_AGAIN,
    },
  ],
};

const loggedAs = (table: LoggedTable): readonly string[] => [
  'DROP FUNCTION log_api_keys CASCADE',
  ...logChanges([table]).up,
];

const LIMITS_CHECK = `scopes <> '{}' AND organization_ids <> '{}' AND folder_ids <> '{}' AND addresses <> '{}'
  AND (folder_ids IS NULL OR organization_ids IS NOT NULL)`;

const UP = [
  `ALTER TABLE api_keys
     ADD scopes text[],
     ADD organization_ids uuid[],
     ADD folder_ids uuid[],
     ADD addresses text[],
     ADD CONSTRAINT api_keys_limits_check CHECK (${LIMITS_CHECK}),
     ADD replaced_by uuid CONSTRAINT api_keys_replaced_by_fkey REFERENCES api_keys ON DELETE SET NULL,
     ADD last_used_address text`,
  `CREATE INDEX api_keys_replaced_by_idx ON api_keys (replaced_by) WHERE replaced_by IS NOT NULL`,
  `CREATE TABLE api_key_uses (
     api_key_id uuid NOT NULL CONSTRAINT api_key_uses_api_key_id_fkey REFERENCES api_keys ON DELETE CASCADE,
     day date NOT NULL,
     requests bigint NOT NULL,
     CONSTRAINT api_key_uses_pkey PRIMARY KEY (api_key_id, day)
   )`,
  ...loggedAs(AFTER),
];

const DOWN = [
  // 1.0.0 knows no limits: such a key would be able to do everything.
  'UPDATE api_keys SET revoked_at = now() WHERE revoked_at IS NULL AND num_nonnulls(scopes, organization_ids, addresses) > 0',
  ...loggedAs(BEFORE),
  'DROP TABLE api_key_uses',
  `ALTER TABLE api_keys DROP CONSTRAINT api_keys_limits_check, DROP scopes, DROP organization_ids, DROP folder_ids,
     DROP addresses, DROP replaced_by, DROP last_used_address`,
];

export class NarrowApiKeys1795838400000 extends migrationOf(UP, DOWN) {}
