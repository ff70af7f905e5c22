import { triggerFunction, type Topic } from '../1_0_0/topic.js';

/**
 * The voices of speakers, in organizations that remember them. They go with what a transcription has written, and when
 * the recording moves; no operation can forget that.
 */
export const VOICES: Topic = {
  up: [
    'ALTER TABLE organizations ADD remember_voices boolean NOT NULL DEFAULT false',
    `CREATE TABLE transcript_voices (
      recording_id uuid CONSTRAINT transcript_voices_recording_id_fkey REFERENCES transcripts ON DELETE CASCADE,
      number smallint,
      organization_id uuid NOT NULL CONSTRAINT transcript_voices_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      speaker text NOT NULL,
      named_at timestamptz(3),
      seconds real NOT NULL,
      model text NOT NULL,
      embedding bytea NOT NULL,
      suggestion text,
      suggestion_confidence real,
      CONSTRAINT transcript_voices_pkey PRIMARY KEY (recording_id, number)
    )`,
    'CREATE INDEX transcript_voices_named_at_idx ON transcript_voices (organization_id, named_at)',
    triggerFunction(
      'forget_voices_of_recording',
      `DELETE FROM transcript_voices WHERE recording_id = (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;`,
    ),
    `CREATE TRIGGER transcript_revisions_forget_voices AFTER INSERT ON transcript_revisions
       FOR EACH ROW WHEN (NEW.cause IN ('import', 'restore', 'transcription'))
       EXECUTE FUNCTION forget_voices_of_recording('recording_id')`,
    `CREATE TRIGGER recordings_forget_voices AFTER UPDATE OF organization_id ON recordings
       FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND OLD.organization_id IS DISTINCT FROM NEW.organization_id)
       EXECUTE FUNCTION forget_voices_of_recording('id')`,
    triggerFunction(
      'log_remember_voices',
      `IF NOT NEW.remember_voices THEN DELETE FROM transcript_voices WHERE organization_id = NEW.id; END IF;
       PERFORM log_organization_change('organization.updated', NEW.id, NEW.id, NULL, '{"fields": ["remember_voices"]}');`,
    ),
    `CREATE TRIGGER organizations_remember_voices_log AFTER UPDATE OF remember_voices ON organizations
       FOR EACH ROW WHEN (OLD.remember_voices <> NEW.remember_voices) EXECUTE FUNCTION log_remember_voices()`,
  ],
  down: [
    'DROP FUNCTION log_remember_voices, forget_voices_of_recording CASCADE',
    'DROP TABLE transcript_voices',
    'ALTER TABLE organizations DROP remember_voices',
  ],
};
