import { migrationOf } from '../../migration-of.js';
import { triggerFunction } from '../1_0_0/topic.js';

const CHANGED = 'OLD.api_key_max_days IS DISTINCT FROM NEW.api_key_max_days';

const UP = [
  `ALTER TABLE organizations
     ADD api_key_max_days integer CONSTRAINT organizations_api_key_max_days_check CHECK (api_key_max_days BETWEEN 1 AND 3650)`,
  // Every request asks whether any organization has a limit.
  `CREATE INDEX organizations_api_key_max_days_idx ON organizations (api_key_max_days) WHERE api_key_max_days IS NOT NULL`,
  // Besides the change, so that streams of events ask again what their keys reach.
  triggerFunction(
    'log_key_life',
    `PERFORM log_organization_change('organization.updated', NEW.id, NEW.id, NULL,
       jsonb_build_object('fields', jsonb_build_array('api_key_max_days')));
     PERFORM pg_notify('access', user_id::text) FROM organization_members WHERE organization_id = NEW.id;`,
  ),
  `CREATE TRIGGER organizations_key_life_log AFTER UPDATE OF api_key_max_days ON organizations
     FOR EACH ROW WHEN (${CHANGED}) EXECUTE FUNCTION log_key_life()`,
];

const DOWN = [
  'DROP FUNCTION log_key_life CASCADE',
  // With its index and its check.
  'ALTER TABLE organizations DROP api_key_max_days',
];

export class LimitKeyLife1795924800000 extends migrationOf(UP, DOWN) {}
