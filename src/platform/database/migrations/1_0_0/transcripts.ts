import type { Topic } from './topic.js';

const STATUSES = `'not_started', 'processing', 'completed', 'failed'`;

const chunksOf = (table: string, key: string): string => `
  recording_id uuid NOT NULL
    CONSTRAINT ${table}_recording_id_fkey REFERENCES transcripts ON DELETE CASCADE,
  ${key}
  chunk_index integer NOT NULL,
  segments json NOT NULL`;

/** Transcripts with their drafts and revisions, and summaries. */
export const TRANSCRIPTS: Topic = {
  up: [
    `CREATE TABLE transcripts (
      recording_id uuid CONSTRAINT transcripts_pkey PRIMARY KEY
        CONSTRAINT transcripts_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      status text NOT NULL CONSTRAINT transcripts_status_check CHECK (status IN (${STATUSES})),
      status_reason text,
      progress double precision NOT NULL DEFAULT 0
        CONSTRAINT transcripts_progress_check CHECK (progress >= 0 AND progress <= 1),
      revision integer NOT NULL DEFAULT 1,
      attempt_id uuid,
      draft jsonb,
      generated boolean NOT NULL DEFAULT false,
      language text,
      speakers text[] NOT NULL,
      segments_count integer NOT NULL,
      duration double precision NOT NULL,
      confidence_known boolean NOT NULL DEFAULT true
    )`,
    `CREATE INDEX transcripts_attempt_id_idx ON transcripts (attempt_id) WHERE attempt_id IS NOT NULL`,
    `CREATE TABLE transcript_chunks (
      ${chunksOf('transcript_chunks', '')},
      CONSTRAINT transcript_chunks_pkey PRIMARY KEY (recording_id, chunk_index)
    )`,

    // The last revisions. A chunk is kept when it is superseded, with the revision that did so: the chunk of an earlier revision is
    // the one that was superseded next, or else the current one.
    `CREATE TABLE transcript_revisions (
      recording_id uuid NOT NULL
        CONSTRAINT transcript_revisions_recording_id_fkey REFERENCES transcripts ON DELETE CASCADE,
      revision integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      cause text NOT NULL CONSTRAINT transcript_revisions_cause_check
        CHECK (cause IN ('import', 'correction', 'speakers', 'transcription', 'restore')),
      created_by uuid CONSTRAINT transcript_revisions_created_by_fkey REFERENCES users ON DELETE SET NULL,
      language text,
      speakers text[] NOT NULL,
      segments_count integer NOT NULL,
      duration double precision NOT NULL,
      confidence_known boolean NOT NULL,
      CONSTRAINT transcript_revisions_pkey PRIMARY KEY (recording_id, revision)
    )`,
    `CREATE INDEX transcript_revisions_created_by_idx ON transcript_revisions (created_by)`,
    // In this order because the oldest are removed with every change.
    `CREATE TABLE superseded_transcript_chunks (
      ${chunksOf('superseded_transcript_chunks', 'superseded_by integer NOT NULL,')},
      CONSTRAINT superseded_transcript_chunks_pkey PRIMARY KEY (recording_id, superseded_by, chunk_index)
    )`,

    // What a running transcription has so far, which can be read before it is complete, and with which an interrupted one
    // continues. It belongs to one attempt and is removed with it, so that no way of ending one can leave it behind.
    `CREATE TABLE transcript_draft_chunks (
      attempt_id uuid NOT NULL,
      ${chunksOf('transcript_draft_chunks', '')},
      CONSTRAINT transcript_draft_chunks_pkey PRIMARY KEY (attempt_id, chunk_index)
    )`,
    `CREATE INDEX transcript_draft_chunks_recording_id_idx ON transcript_draft_chunks (recording_id)`,
    `CREATE FUNCTION end_transcript_draft() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       DELETE FROM transcript_draft_chunks WHERE attempt_id = OLD.attempt_id;
       NEW.progress := 0;
       NEW.draft := NULL;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER end_transcript_draft BEFORE UPDATE OF attempt_id ON transcripts
       FOR EACH ROW WHEN (OLD.attempt_id IS DISTINCT FROM NEW.attempt_id) EXECUTE FUNCTION end_transcript_draft()`,

    `CREATE TABLE summaries (
      recording_id uuid CONSTRAINT summaries_pkey PRIMARY KEY
        CONSTRAINT summaries_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      status text NOT NULL CONSTRAINT summaries_status_check CHECK (status IN (${STATUSES})),
      status_reason text,
      revision integer NOT NULL DEFAULT 1,
      attempt_id uuid,
      content text,
      html text,
      topics json NOT NULL DEFAULT '[]'
    )`,
  ],
  down: [
    `DROP TABLE summaries, transcript_draft_chunks, superseded_transcript_chunks, transcript_revisions, transcript_chunks,
       transcripts`,
    `DROP FUNCTION end_transcript_draft`,
  ],
};
