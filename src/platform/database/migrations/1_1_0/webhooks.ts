import type { Topic } from '../1_0_0/topic.js';

/**
 * Webhooks are sent with headers of their own, whose values are sealed with the URL; and tests of every type of event,
 * each about something.
 */
export const WEBHOOKS: Topic = {
  up: [
    `ALTER TABLE webhooks ADD COLUMN header_names text[] NOT NULL DEFAULT '{}'`,
    'ALTER TABLE webhook_deliveries ADD COLUMN target_id uuid',
  ],
  down: [
    'ALTER TABLE webhook_deliveries DROP COLUMN target_id',
    // Those with headers remain unreadable to the previous version, until they get another URL.
    'ALTER TABLE webhooks DROP COLUMN header_names',
  ],
};
