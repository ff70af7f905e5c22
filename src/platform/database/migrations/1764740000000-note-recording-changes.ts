import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a recording itself is, as opposed to its content, which has revisions of its own, and to the progress of a job. */
const NOTED = [
  'title',
  'notes',
  'status',
  'status_reason',
  'owner_id',
  'organization_id',
  'folder_id',
  'started_at',
  'ended_at',
  'duration',
  'media_key',
  'media_type',
  'source_key',
  'package_key',
];

const columnsOf = (row: string): string => NOTED.map((column) => `${row}.${column}`).join(', ');

const UP = [
  `ALTER TABLE recordings ADD COLUMN revision integer NOT NULL DEFAULT 1`,
  // Whoever sets the time of a change has another clock than the database, which only steps in where it is not set.
  `CREATE FUNCTION note_recording_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     NEW.revision := OLD.revision + 1;
     IF NEW.updated_at = OLD.updated_at THEN
       NEW.updated_at := GREATEST(OLD.updated_at, clock_timestamp());
     END IF;
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER recordings_note_change BEFORE UPDATE OF ${NOTED.join(', ')} ON recordings
     FOR EACH ROW WHEN ((${columnsOf('OLD')}) IS DISTINCT FROM (${columnsOf('NEW')}))
     EXECUTE FUNCTION note_recording_change()`,
  `CREATE INDEX recordings_updated_at_idx ON recordings (updated_at)`,
];

const DOWN = [
  `DROP INDEX recordings_updated_at_idx`,
  `DROP TRIGGER recordings_note_change ON recordings`,
  `DROP FUNCTION note_recording_change`,
  `ALTER TABLE recordings DROP COLUMN revision`,
];

/** Every change of a recording raises its revision and its time, whoever makes it; the list finds those changed since a time. */
export class NoteRecordingChanges1764740000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
