import type { Topic } from '../1_0_0/topic.js';

/** Counted with each write of content, all of which set `generated`. Release 1.0.0 does not count, and leaves null. */
export const SPEAKER_STATISTICS: Topic = {
  up: [
    'ALTER TABLE transcripts ADD COLUMN speaker_statistics jsonb',
    `CREATE FUNCTION end_speaker_statistics() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.speaker_statistics := NULL;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER end_speaker_statistics BEFORE UPDATE OF generated ON transcripts
       FOR EACH ROW EXECUTE FUNCTION end_speaker_statistics()`,
  ],
  down: [
    'DROP FUNCTION end_speaker_statistics CASCADE',
    'ALTER TABLE transcripts DROP COLUMN speaker_statistics',
  ],
};
