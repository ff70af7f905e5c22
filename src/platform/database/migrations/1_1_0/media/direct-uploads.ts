import type { Topic } from '../../1_0_0/topic.js';

/** Parts of uploads that clients store in S3 themselves, until the upload is complete. */
export const DIRECT_UPLOADS: Topic = {
  up: [
    `CREATE TABLE direct_parts (
      recording_id uuid NOT NULL CONSTRAINT direct_parts_recording_id_fkey REFERENCES uploads ON DELETE CASCADE,
      number integer NOT NULL CONSTRAINT direct_parts_number_check CHECK (number > 0),
      sha256 text NOT NULL,
      key text NOT NULL,
      CONSTRAINT direct_parts_pkey PRIMARY KEY (recording_id, number)
    )`,
  ],
  down: ['DROP TABLE direct_parts'],
};
