import { logChanges } from '../../../log-changes.js';
import { fieldsChanged, ofRecording } from '../../1_0_0/change-triggers.js';
import { triggerFunction, type Topic } from '../../1_0_0/topic.js';
import { released, replacing } from '../released.js';

/** What a recording and a track count as while they are uploaded. */
const MEASURE_UPLOAD = triggerFunction(
  'quota_measure_upload',
  `IF NEW.track_of IS NOT NULL THEN
     UPDATE tracks SET stored_bytes = measured WHERE id = NEW.recording_id AND stored_bytes <> measured;
   ELSE
     measured := measured + track_bytes_of(NEW.recording_id);
     UPDATE recordings SET stored_bytes = measured WHERE id = NEW.recording_id AND stored_bytes <> measured;
   END IF;`,
  `measured bigint := NEW.kept_bytes
     + CASE WHEN NEW.closed_at IS NULL THEN GREATEST(NEW.size, NEW.received) ELSE NEW.received END;`,
);
const FORGET_UPLOAD = triggerFunction(
  'quota_forget_upload',
  `UPDATE tracks SET stored_bytes = 0 WHERE id = OLD.recording_id;
   UPDATE recordings SET stored_bytes = OLD.kept_bytes + track_bytes_of(id) WHERE id = OLD.recording_id;`,
);
const MEASURING = ['quota_measure_upload', 'quota_forget_upload'];

const LOGGED = logChanges([
  {
    table: 'tracks',
    log: ofRecording('row.id'),
    changes: [
      { on: 'INSERT', type: 'track.added' },
      fieldsChanged('track.updated', {
        name: 'OLD.name <> NEW.name',
        user_id: 'OLD.user_id IS DISTINCT FROM NEW.user_id',
        language: 'OLD.language IS DISTINCT FROM NEW.language',
      }),
      {
        on: 'UPDATE',
        type: 'track.completed',
        when: 'OLD.package_key IS DISTINCT FROM NEW.package_key AND NEW.package_key IS NOT NULL',
      },
      { on: 'DELETE', type: 'track.deleted' },
    ],
  },
  {
    table: 'uploads',
    columns: ['status_reason'],
    log: (row, type, details) =>
      `PERFORM log_recording_change(${type}, r, ${row}.recording_id, ${details}) FROM recordings r WHERE r.id = ${row}.track_of`,
    changes: [
      {
        on: 'UPDATE',
        type: 'track.failed',
        when: 'OLD.status_reason IS NULL AND NEW.status_reason IS NOT NULL',
      },
    ],
  },
]);

/**
 * Files of one participant each. The upload of a track has the id of the track where that of a recording has the
 * recording's, so that release 1.0.0 finds no recording for it and leaves it alone; no foreign key can refer to both.
 */
export const TRACKS: Topic = {
  up: [
    `CREATE TABLE tracks (
      id uuid CONSTRAINT tracks_pkey PRIMARY KEY,
      recording_id uuid NOT NULL CONSTRAINT tracks_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      user_id uuid CONSTRAINT tracks_user_id_fkey REFERENCES users ON DELETE SET NULL,
      name text NOT NULL,
      kind text NOT NULL CONSTRAINT tracks_kind_check CHECK (kind IN ('audio', 'video', 'screen')),
      language text,
      origin text NOT NULL CONSTRAINT tracks_origin_check CHECK (origin IN ('upload', 'archive', 'media')),
      given_offset double precision,
      "offset" double precision,
      alignment text CONSTRAINT tracks_alignment_check CHECK (alignment IN ('given', 'mix', 'clock', 'none')),
      duration double precision,
      source_key text,
      source_type text,
      source_sha256 text,
      package_key text,
      audio_playlist text,
      picture_playlist text,
      notice text,
      stored_bytes bigint NOT NULL DEFAULT 0,
      attempt_id uuid,
      created_at timestamptz(3) NOT NULL
    )`,
    'ALTER TABLE recordings ADD media_mixed boolean NOT NULL DEFAULT false',
    `CREATE INDEX tracks_recording_id_idx ON tracks (recording_id, created_at, id)`,
    `CREATE INDEX tracks_user_id_idx ON tracks (user_id) WHERE user_id IS NOT NULL`,
    `ALTER TABLE uploads ADD track_of uuid, DROP CONSTRAINT uploads_recording_id_fkey`,
    `CREATE INDEX uploads_track_of_idx ON uploads (track_of) WHERE track_of IS NOT NULL`,
    `CREATE FUNCTION forget_uploads() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       DELETE FROM uploads u USING gone WHERE u.recording_id = gone.id;
       RETURN NULL;
     END $$`,
    ...['recordings', 'tracks'].map(
      (table) => `CREATE TRIGGER ${table}_forget_uploads AFTER DELETE ON ${table}
       REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_uploads()`,
    ),

    `CREATE FUNCTION track_bytes_of(recording uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
       SELECT COALESCE(sum(stored_bytes), 0)::bigint FROM tracks WHERE recording_id = recording
     $$`,
    triggerFunction(
      'quota_count_track',
      `UPDATE recordings SET stored_bytes = stored_bytes + COALESCE(NEW.stored_bytes, 0) - COALESCE(OLD.stored_bytes, 0)
       WHERE id = COALESCE(NEW.recording_id, OLD.recording_id);`,
    ),
    `CREATE TRIGGER tracks_quota AFTER INSERT OR DELETE OR UPDATE OF stored_bytes ON tracks
       FOR EACH ROW EXECUTE FUNCTION quota_count_track()`,
    ...[MEASURE_UPLOAD, FORGET_UPLOAD].map(replacing),
    ...LOGGED.up,
  ],
  down: [
    ...LOGGED.down,
    'DROP TRIGGER tracks_quota ON tracks',
    'UPDATE recordings r SET stored_bytes = stored_bytes - track_bytes_of(id) WHERE EXISTS (SELECT FROM tracks WHERE recording_id = r.id)',
    ...MEASURING.map((name) => replacing(released('FUNCTION', name))),
    'DROP FUNCTION forget_uploads CASCADE',
    'DELETE FROM uploads WHERE track_of IS NOT NULL',
    `ALTER TABLE uploads DROP track_of,
       ADD CONSTRAINT uploads_recording_id_fkey FOREIGN KEY (recording_id) REFERENCES recordings ON DELETE CASCADE`,
    'DROP TABLE tracks',
    'ALTER TABLE recordings DROP media_mixed',
    'DROP FUNCTION quota_count_track, track_bytes_of',
  ],
};
