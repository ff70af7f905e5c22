import { migrationOf } from '../../migration-of.js';

const UP = [
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
];

const DOWN = [
  // Their meetings are transcribed as a whole when they end.
  `DELETE FROM transcripts WHERE live`,
  `CREATE OR REPLACE FUNCTION end_transcript_draft() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     DELETE FROM transcript_draft_chunks WHERE attempt_id = OLD.attempt_id;
     NEW.progress := 0;
     NEW.draft := NULL;
     RETURN NEW;
   END $$`,
  `ALTER TABLE transcripts DROP COLUMN live`,
];

/** Meetings are transcribed while they are uploaded; the attempt at the whole takes over the draft of the live one. */
export class ListenToMeetings1796256000000 extends migrationOf(UP, DOWN) {}
