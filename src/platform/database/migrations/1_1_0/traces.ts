import type { Topic } from '../1_0_0/topic.js';

/** An event has the trace of its change, as the transaction announced it, and thus the webhooks that it is sent to. */
export const TRACES: Topic = {
  up: [
    `ALTER TABLE unpublished_changes ADD COLUMN traceparent text
       DEFAULT (nullif(current_setting('meeting_recordings.change_source', true), '')::jsonb ->> 'traceparent')`,
    'ALTER TABLE events ADD COLUMN traceparent text',
  ],
  down: [
    'ALTER TABLE events DROP COLUMN traceparent',
    'ALTER TABLE unpublished_changes DROP COLUMN traceparent',
  ],
};
