import { migrationOf } from '../../migration-of.js';
import { changeTriggers } from '../1_0_0/change-triggers.js';

const NAME = 'log_organization_change';
const PARAMETERS =
  'change text, organization uuid, target uuid, concerned uuid, details jsonb, email text DEFAULT NULL';

/**
 * What concerns a service account is logged in its organization, although the triggers take it for a user who is a
 * member. It is created and deleted with its membership; all users are, too, in the log of the installation.
 */
export const LOG_OF_SERVICE_ACCOUNTS = `
  CREATE OR REPLACE FUNCTION ${NAME}(${PARAMETERS}) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    logged record;
    salt text := gen_random_uuid();
    home uuid := (SELECT service_of FROM users WHERE id = concerned);
  BEGIN
    IF home IS NOT NULL AND change <> 'user.created' THEN
      organization := home;
      change := CASE change
        WHEN 'member.added' THEN 'service_account.created'
        WHEN 'member.updated' THEN 'service_account.updated'
        WHEN 'member.removed' THEN 'service_account.deleted'
        ELSE change END;
    END IF;
    INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, user_id, details)
    SELECT change, s.kind, s.user_id, s.api_key_id, s.request_id, organization, target, concerned, details
    FROM change_source() AS s
    RETURNING at, id INTO logged;
    IF email IS NOT NULL THEN
      INSERT INTO personal_details (at, change_id, kind, value, salt, commitment)
      VALUES (logged.at, logged.id, 'email', email, salt, sha256(convert_to(salt || email, 'UTF8')));
    END IF;
  END $$`;

const UP = [
  `ALTER TABLE users
     ADD service_of uuid CONSTRAINT users_service_of_fkey REFERENCES organizations ON DELETE CASCADE,
     ADD CONSTRAINT users_service_check CHECK (service_of IS NULL OR NOT (operator OR email_verified))`,
  `CREATE INDEX users_service_of_idx ON users (service_of) WHERE service_of IS NOT NULL`,
  LOG_OF_SERVICE_ACCOUNTS,
];

const DOWN = [
  `DROP FUNCTION ${NAME}`,
  ...changeTriggers([]).up.filter((statement) => statement.includes(`CREATE FUNCTION ${NAME}(`)),
  // They remain as members: 1.0.0 would otherwise lose who owns their recordings. Their keys are revoked, as are all with limits.
  'ALTER TABLE users DROP service_of',
];

export class CreateServiceAccounts1795881600000 extends migrationOf(UP, DOWN) {}
