import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last revisions of a transcript. A chunk is kept when it is superseded, with the revision that did so: the chunk of an
 * earlier revision is the one that was superseded next, or else the current one.
 */
export class KeepTranscriptRevisions1764700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE superseded_transcript_chunks');
    await queryRunner.query('DROP TABLE transcript_revisions');
  }
}

const UP = [
  `CREATE TABLE transcript_revisions (
    recording_id uuid NOT NULL
      CONSTRAINT transcript_revisions_recording_id_fkey REFERENCES transcripts ON DELETE CASCADE,
    revision integer NOT NULL,
    created_at timestamptz(3),
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
    recording_id uuid NOT NULL
      CONSTRAINT superseded_transcript_chunks_recording_id_fkey REFERENCES transcripts ON DELETE CASCADE,
    superseded_by integer NOT NULL,
    chunk_index integer NOT NULL,
    segments json NOT NULL,
    CONSTRAINT superseded_transcript_chunks_pkey PRIMARY KEY (recording_id, superseded_by, chunk_index)
  )`,
  // When and by whom existing transcripts were written is not known.
  `INSERT INTO transcript_revisions
     (recording_id, revision, cause, language, speakers, segments_count, duration, confidence_known)
   SELECT recording_id, revision, CASE WHEN generated THEN 'transcription' ELSE 'import' END,
     language, speakers, segments_count, duration, confidence_known
   FROM transcripts WHERE status = 'completed' OR segments_count > 0`,
];
