import { isChanged, type Topic } from './topic.js';

/** What a recording itself is, as opposed to its content, which has revisions of its own, and to the progress of a job. */
const REVISED = [
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

export const RECORDINGS: Topic = {
  up: [
    `CREATE TABLE recordings (
      id uuid CONSTRAINT recordings_pkey PRIMARY KEY,
      owner_id uuid CONSTRAINT recordings_owner_id_fkey REFERENCES users ON DELETE SET NULL,
      organization_id uuid CONSTRAINT recordings_organization_id_fkey REFERENCES organizations ON DELETE RESTRICT,
      folder_id uuid,
      title text NOT NULL,
      title_folded text NOT NULL,
      notes text NOT NULL DEFAULT '',
      language text,
      status text NOT NULL CONSTRAINT recordings_status_check CHECK (status IN ('STARTING', 'CONNECTING',
        'WAIT_APPROVAL', 'RECORDING', 'UPLOADING', 'PROCESSING', 'TRANSCODING', 'MIGRATING', 'COMPLETED', 'ERROR')),
      status_reason text,
      progress double precision NOT NULL
        CONSTRAINT recordings_progress_check CHECK (progress >= 0 AND progress <= 1),
      revision integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      started_at timestamptz(3),
      ended_at timestamptz(3),
      duration double precision,
      media_key text,
      media_type text,
      media_sha256 text,
      source_key text,
      source_type text,
      source_sha256 text,
      package_key text,
      packaging_id uuid,
      without_media boolean NOT NULL DEFAULT false,
      auto_transcribe boolean NOT NULL DEFAULT false,
      stored_bytes bigint NOT NULL DEFAULT 0
        CONSTRAINT recordings_stored_bytes_check CHECK (stored_bytes >= 0),
      CONSTRAINT recordings_folder_check CHECK (folder_id IS NULL OR organization_id IS NOT NULL),
      CONSTRAINT recordings_folder_fkey FOREIGN KEY (organization_id, folder_id)
        REFERENCES folders (organization_id, id) ON DELETE RESTRICT
    )`,
    `CREATE INDEX recordings_owner_id_idx ON recordings (owner_id)`,
    `CREATE UNIQUE INDEX recordings_media_key_key ON recordings (media_key)`,
    `CREATE INDEX recordings_updated_at_idx ON recordings (updated_at)`,
    // Of the few that are worked on, to tell whose folders may go.
    `CREATE INDEX recordings_packaging_id_idx ON recordings (packaging_id) WHERE packaging_id IS NOT NULL`,
    `CREATE INDEX recordings_title_trgm_idx ON recordings USING gin (title_folded gin_trgm_ops)`,

    // Those of the list. What a filter, a count or a search of titles asks besides is included, so that they read the index alone.
    // Personal recordings stand in an index of their own only, so that the planner cannot look for one owner's among those of everybody.
    `CREATE INDEX recordings_personal_idx ON recordings (owner_id, created_at DESC, id) INCLUDE (status)
      WHERE organization_id IS NULL`,
    `CREATE INDEX recordings_organization_idx ON recordings (organization_id, created_at DESC, id)
      INCLUDE (status, title_folded) WHERE organization_id IS NOT NULL`,
    // The folder: own recordings in a folder that is seen as a whole are listed with the folder.
    `CREATE INDEX recordings_organization_owner_idx
      ON recordings (organization_id, owner_id, created_at DESC, id) INCLUDE (status, folder_id)
      WHERE organization_id IS NOT NULL`,
    `CREATE INDEX recordings_organization_status_idx
      ON recordings (organization_id, status, created_at DESC, id) WHERE organization_id IS NOT NULL`,
    `CREATE INDEX recordings_folder_idx ON recordings (folder_id, created_at DESC, id)
      INCLUDE (owner_id, status, title_folded)`,

    // Folded once here, and not row by row in every search.
    `CREATE FUNCTION fold_recording_title() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.title_folded := lower(NEW.title);
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER recordings_fold_title BEFORE INSERT OR UPDATE OF title, title_folded ON recordings
       FOR EACH ROW EXECUTE FUNCTION fold_recording_title()`,

    // Whoever sets the time of a change has another clock than the database, which only steps in where it is not set.
    `CREATE FUNCTION note_recording_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.revision := OLD.revision + 1;
       IF NEW.updated_at = OLD.updated_at THEN
         NEW.updated_at := GREATEST(OLD.updated_at, clock_timestamp());
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER recordings_note_change BEFORE UPDATE OF ${REVISED.join(', ')} ON recordings
       FOR EACH ROW WHEN (${isChanged(REVISED)}) EXECUTE FUNCTION note_recording_change()`,
  ],
  down: [`DROP TABLE recordings`, `DROP FUNCTION note_recording_change, fold_recording_title`],
};
