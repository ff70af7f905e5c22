import type { MigrationInterface, QueryRunner } from 'typeorm';
import { logChanges } from '../../../src/platform/database/log-changes.js';
import {
  fieldsChanged,
  ofRecording,
} from '../../../src/platform/database/migrations/1_0_0/change-triggers.js';

/** What is written to the change log, and published as events. */
const LOGGED = logChanges([
  {
    table: 'bookmarks',
    log: ofRecording('row.id'),
    changes: [
      { on: 'INSERT', type: 'bookmark.created' },
      fieldsChanged('bookmark.updated', { at: 'OLD.at <> NEW.at', label: 'OLD.label <> NEW.label' }),
      { on: 'DELETE', type: 'bookmark.deleted' },
    ],
  },
]);

const UP = [
  `CREATE TABLE bookmarks (
    id uuid CONSTRAINT bookmarks_pkey PRIMARY KEY,
    recording_id uuid NOT NULL CONSTRAINT bookmarks_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
    created_by uuid NOT NULL CONSTRAINT bookmarks_created_by_fkey REFERENCES users ON DELETE CASCADE,
    at double precision NOT NULL CONSTRAINT bookmarks_at_check CHECK (at >= 0),
    label text NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX bookmarks_list_idx ON bookmarks (recording_id, created_at, id)`,
  `CREATE INDEX bookmarks_created_by_idx ON bookmarks (created_by)`,
  ...LOGGED.up,
];

/** Bookmarks: each belongs to one recording and one user. */
export class CreateBookmarks1800000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...LOGGED.down, 'DROP TABLE bookmarks']) await queryRunner.query(statement);
  }
}
