import type { Topic } from '../1_0_0/topic.js';
import { released, replacing } from './released.js';

const LOG = released('FUNCTION', 'log_organization_change');

/**
 * What concerns a service account is logged in its organization, although the triggers take it for a user who is a
 * member. It is created and deleted with its membership; all users are, too, in the log of the installation. When the
 * membership is deleted, the user is still there, and the log keeps the name.
 */
const LOG_OF_SERVICE_ACCOUNTS = LOG.replace(
  'BEGIN',
  `  home uuid := (SELECT service_of FROM users WHERE id = concerned);
  BEGIN
    IF home IS NOT NULL AND change <> 'user.created' THEN
      organization := home;
      change := CASE change
        WHEN 'member.added' THEN 'service_account.created'
        WHEN 'member.updated' THEN 'service_account.updated'
        WHEN 'member.removed' THEN 'service_account.deleted'
        ELSE change END;
    END IF;
    IF change = 'service_account.deleted' THEN
      details := details || jsonb_build_object('name', (SELECT name FROM users WHERE id = concerned));
    END IF;`,
);

export const SERVICE_ACCOUNTS: Topic = {
  up: [
    `ALTER TABLE users
       ADD service_of uuid CONSTRAINT users_service_of_fkey REFERENCES organizations ON DELETE CASCADE,
       ADD CONSTRAINT users_service_check CHECK (service_of IS NULL OR NOT (operator OR email_verified))`,
    `CREATE INDEX users_service_of_idx ON users (service_of) WHERE service_of IS NOT NULL`,
    replacing(LOG_OF_SERVICE_ACCOUNTS),
  ],
  down: [
    replacing(LOG),
    // They remain as members: 1.0.0 would otherwise lose who owns their recordings. Their keys are revoked, as are all with limits.
    'ALTER TABLE users DROP service_of',
  ],
};
