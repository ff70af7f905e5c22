import type { Topic } from '../1_0_0/topic.js';
import { released, replacing } from './released.js';

/** Meetings are transcribed while they are uploaded; the attempt at the whole takes over the draft of the live one. */
export const LIVE_TRANSCRIPTS: Topic = {
  up: [
    `ALTER TABLE transcripts ADD COLUMN live boolean NOT NULL DEFAULT false`,
    `CREATE OR REPLACE FUNCTION end_transcript_draft() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF OLD.live AND NEW.attempt_id IS NOT NULL THEN
         UPDATE transcript_draft_chunks SET attempt_id = NEW.attempt_id WHERE attempt_id = OLD.attempt_id;
       ELSE
         DELETE FROM transcript_draft_chunks WHERE attempt_id = OLD.attempt_id;
         NEW.progress := 0;
         NEW.draft := NULL;
       END IF;
       NEW.live := false;
       RETURN NEW;
     END $$`,
  ],
  down: [
    // Their meetings are transcribed as a whole when they end.
    `DELETE FROM transcripts WHERE live`,
    replacing(released('FUNCTION', 'end_transcript_draft')),
    `ALTER TABLE transcripts DROP COLUMN live`,
  ],
};
