import type { Topic } from '../1_0_0/topic.js';

/** Webhooks are sent with headers of their own, whose values are sealed with the URL. */
export const WEBHOOK_HEADERS: Topic = {
  up: [`ALTER TABLE webhooks ADD COLUMN header_names text[] NOT NULL DEFAULT '{}'`],
  // Those with headers remain unreadable to the previous version, until they get another URL.
  down: ['ALTER TABLE webhooks DROP COLUMN header_names'],
};
