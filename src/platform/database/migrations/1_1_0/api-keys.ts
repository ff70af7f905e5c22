import { logChanges } from '../../log-changes.js';
import { fieldsChanged, ofOrganization } from '../1_0_0/change-triggers.js';
import { triggerFunction, type Topic } from '../1_0_0/topic.js';
import { released } from './released.js';

const PREFIX = `jsonb_build_object('prefix', NEW.prefix)`;
const IS_KEY = 'NEW.signed_in_by IS NULL AND NEW.oauth_client IS NULL';
const IS_SESSION = 'NEW.signed_in_by IS NOT NULL';
const IS_CONNECTION = 'NEW.oauth_client IS NOT NULL';
const CONNECTED = `jsonb_build_object('client_id', NEW.oauth_client, 'client_name', NEW.name)`;
const WAY_IN = `jsonb_build_object('way', NEW.signed_in_by, 'provider', NEW.provider)`;
const ENDS = 'OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL';
/** Streams of events ask again what their key may do. */
const ASK_AGAIN = `PERFORM pg_notify('access', NEW.user_id::text)`;

const LIMITS = ['scopes', 'organization_ids', 'folder_ids', 'addresses'];

const LOGGED = logChanges([
  {
    table: 'api_keys',
    log: ofOrganization({ target: 'row.id', user: 'row.user_id' }),
    columns: ['revoked_at', 'replaced_by', 'name', ...LIMITS, 'expires_at'],
    // Sessions are extended by their use; the name of a connection is cleared with its user.
    except: `NOT (${IS_KEY}) AND NEW.revoked_at IS NOT DISTINCT FROM OLD.revoked_at`,
    changes: [
      { on: 'INSERT', type: 'api_key.created', when: IS_KEY, details: PREFIX },
      { on: 'INSERT', type: 'session.signed_in', when: IS_SESSION, details: WAY_IN },
      { on: 'INSERT', type: 'connection.created', when: IS_CONNECTION, details: CONNECTED },
      {
        on: 'UPDATE',
        type: 'api_key.revoked',
        when: `${ENDS} AND ${IS_KEY}`,
        details: PREFIX,
        afterwards: ASK_AGAIN,
      },
      {
        on: 'UPDATE',
        type: 'session.revoked',
        when: `${ENDS} AND ${IS_SESSION}`,
        details: WAY_IN,
        afterwards: ASK_AGAIN,
      },
      {
        on: 'UPDATE',
        type: 'connection.revoked',
        when: `${ENDS} AND ${IS_CONNECTION}`,
        details: CONNECTED,
        afterwards: ASK_AGAIN,
      },
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
  },
]);

/** Not null of an organization that limits which keys reach it, as `REFUSING_ORGANIZATIONS` asks. */
const KEY_LIMITS = 'coalesce(api_key_max_days, length(sso_provider), cardinality(oauth_clients))';

const LIMITS_CHECK = `scopes <> '{}' AND organization_ids <> '{}' AND folder_ids <> '{}' AND addresses <> '{}'
  AND (folder_ids IS NULL OR organization_ids IS NOT NULL)`;

/** Keys have limits and uses, and some are sessions or connections; organizations limit how long keys work, who lets people in and which clients connect. */
export const API_KEYS: Topic = {
  up: [
    `ALTER TABLE api_keys
       ADD scopes text[],
       ADD organization_ids uuid[],
       ADD folder_ids uuid[],
       ADD addresses text[],
       ADD CONSTRAINT api_keys_limits_check CHECK (${LIMITS_CHECK}),
       ADD replaced_by uuid CONSTRAINT api_keys_replaced_by_fkey REFERENCES api_keys ON DELETE SET NULL,
       ADD last_used_address text,
       ADD signed_in_by text CONSTRAINT api_keys_signed_in_by_check
         CHECK (signed_in_by IN ('provider', 'mail', 'passkey', 'link', 'api_key')),
       ADD provider text,
       ADD provider_session text,
       ADD client text,
       ADD oauth_client text`,
    `CREATE INDEX api_keys_provider_session_idx ON api_keys (provider, provider_session) WHERE provider_session IS NOT NULL`,
    `CREATE INDEX api_keys_replaced_by_idx ON api_keys (replaced_by) WHERE replaced_by IS NOT NULL`,
    `CREATE TABLE api_key_uses (
       api_key_id uuid NOT NULL CONSTRAINT api_key_uses_api_key_id_fkey REFERENCES api_keys ON DELETE CASCADE,
       day date NOT NULL,
       requests bigint NOT NULL,
       CONSTRAINT api_key_uses_pkey PRIMARY KEY (api_key_id, day)
     )`,
    'DROP FUNCTION log_api_keys CASCADE',
    ...LOGGED.up,

    `ALTER TABLE organizations
       ADD api_key_max_days integer CONSTRAINT organizations_api_key_max_days_check CHECK (api_key_max_days BETWEEN 1 AND 3650),
       ADD sso_provider text,
       ADD oauth_clients text[]`,
    // Every request asks whether any organization limits which keys reach it.
    `CREATE INDEX organizations_key_limits_idx ON organizations ((${KEY_LIMITS}))
       WHERE ${KEY_LIMITS} IS NOT NULL`,
    // Besides the change, so that streams of events ask again what their keys reach.
    triggerFunction(
      'log_key_life',
      `PERFORM log_organization_change('organization.updated', NEW.id, NEW.id, NULL,
         jsonb_build_object('fields', array_remove(ARRAY[
           CASE WHEN OLD.api_key_max_days IS DISTINCT FROM NEW.api_key_max_days THEN 'api_key_max_days' END,
           CASE WHEN OLD.sso_provider IS DISTINCT FROM NEW.sso_provider THEN 'sso_provider' END,
           CASE WHEN OLD.oauth_clients IS DISTINCT FROM NEW.oauth_clients THEN 'oauth_clients' END], NULL)));
       PERFORM pg_notify('access', user_id::text) FROM organization_members WHERE organization_id = NEW.id;`,
    ),
    `CREATE TRIGGER organizations_key_life_log AFTER UPDATE OF api_key_max_days, sso_provider, oauth_clients ON organizations
       FOR EACH ROW WHEN ((OLD.api_key_max_days, OLD.sso_provider, OLD.oauth_clients) IS DISTINCT FROM (NEW.api_key_max_days, NEW.sso_provider, NEW.oauth_clients)) EXECUTE FUNCTION log_key_life()`,
  ],
  down: [
    'DROP FUNCTION log_key_life CASCADE',
    // With its index and its check.
    'DROP INDEX organizations_key_limits_idx',
    'ALTER TABLE organizations DROP api_key_max_days, DROP sso_provider, DROP oauth_clients',

    // 1.0.0 knows no sessions and no connections.
    'DELETE FROM api_keys WHERE signed_in_by IS NOT NULL OR oauth_client IS NOT NULL',
    // 1.0.0 knows no limits: such a key would be able to do everything.
    'UPDATE api_keys SET revoked_at = now() WHERE revoked_at IS NULL AND num_nonnulls(scopes, organization_ids, addresses) > 0',
    'DROP FUNCTION log_api_keys CASCADE',
    released('FUNCTION', 'log_api_keys'),
    released('TRIGGER', 'api_keys_log'),
    'DROP TABLE api_key_uses',
    `ALTER TABLE api_keys DROP CONSTRAINT api_keys_limits_check, DROP scopes, DROP organization_ids, DROP folder_ids,
       DROP addresses, DROP replaced_by, DROP last_used_address, DROP signed_in_by, DROP provider, DROP provider_session,
       DROP client, DROP oauth_client`,
  ],
};
