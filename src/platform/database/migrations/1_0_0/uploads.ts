import type { Topic } from './topic.js';

export const UPLOADS: Topic = {
  up: [
    // The order of the requests that send bytes.
    `CREATE SEQUENCE upload_turns`,
    `CREATE TABLE uploads (
      recording_id uuid CONSTRAINT uploads_pkey PRIMARY KEY
        CONSTRAINT uploads_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      user_id uuid CONSTRAINT uploads_user_id_fkey REFERENCES users ON DELETE SET NULL,
      size bigint,
      received bigint NOT NULL DEFAULT 0,
      generation integer NOT NULL DEFAULT 0,
      turn bigint NOT NULL DEFAULT 0,
      media_type text,
      metadata text,
      fetched boolean NOT NULL DEFAULT false,
      added boolean NOT NULL DEFAULT false,
      kept_bytes bigint NOT NULL DEFAULT 0 CONSTRAINT uploads_kept_bytes_check CHECK (kept_bytes >= 0),
      progress double precision NOT NULL DEFAULT 0
        CONSTRAINT uploads_progress_check CHECK (progress >= 0 AND progress <= 1),
      status_reason text,
      active_at timestamptz(3) NOT NULL,
      closed_at timestamptz(3),
      CONSTRAINT uploads_received_check CHECK (received >= 0 AND (size IS NULL OR received <= size))
    )`,
    `CREATE INDEX uploads_user_id_idx ON uploads (user_id) WHERE closed_at IS NULL`,
    `CREATE TABLE upload_parts (
      recording_id uuid NOT NULL CONSTRAINT upload_parts_recording_id_fkey REFERENCES uploads ON DELETE CASCADE,
      start bigint NOT NULL,
      size bigint NOT NULL CONSTRAINT upload_parts_size_check CHECK (size > 0),
      key text NOT NULL,
      CONSTRAINT upload_parts_pkey PRIMARY KEY (recording_id, start)
    )`,

    // Of uploads whose bytes the service fetches itself. The URL may contain a secret: it is encrypted, and its row is removed as
    // soon as the upload ends.
    `CREATE TABLE upload_sources (
      recording_id uuid CONSTRAINT upload_sources_pkey PRIMARY KEY
        CONSTRAINT upload_sources_recording_id_fkey REFERENCES uploads ON DELETE CASCADE,
      url_sealed bytea NOT NULL,
      sealing_key_id text NOT NULL
        CONSTRAINT upload_sources_sealing_key_id_fkey REFERENCES sealing_keys ON DELETE RESTRICT,
      validator text,
      failures integer NOT NULL DEFAULT 0,
      created_at timestamptz(3) NOT NULL
    )`,

    // Media that were replaced, until the URLs issued for them expire.
    `CREATE TABLE retired_media (
      recording_id uuid CONSTRAINT retired_media_pkey PRIMARY KEY
        CONSTRAINT retired_media_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      media_key text NOT NULL,
      media_type text,
      media_sha256 text,
      source_key text,
      source_type text,
      source_sha256 text,
      package_key text,
      until timestamptz(3) NOT NULL
    )`,
  ],
  down: [`DROP TABLE retired_media, upload_sources, upload_parts, uploads`, `DROP SEQUENCE upload_turns`],
};
