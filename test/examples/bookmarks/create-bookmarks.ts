import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bookmarks: each belongs to one recording and one user. */
export class CreateBookmarks1764500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE bookmarks');
  }
}

const UP = [
  `CREATE TABLE bookmarks (
    id uuid CONSTRAINT bookmarks_pkey PRIMARY KEY,
    recording_id uuid NOT NULL CONSTRAINT bookmarks_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
    created_by uuid NOT NULL CONSTRAINT bookmarks_created_by_fkey REFERENCES users ON DELETE CASCADE,
    at double precision NOT NULL CONSTRAINT bookmarks_at_check CHECK (at >= 0),
    label text NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX bookmarks_list_idx ON bookmarks (recording_id, created_by, created_at, id)`,
  `CREATE INDEX bookmarks_created_by_idx ON bookmarks (created_by)`,
];
