import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CHANGE_LOG } from './change-log.js';
import { LOGGED_CHANGES } from './logged-changes.js';
import { ORGANIZATIONS } from './organizations.js';
import { QUOTAS } from './quotas.js';
import { RECORDING_COUNTS } from './recording-counts.js';
import { RECORDINGS } from './recordings.js';
import { SEARCH } from './search.js';
import { SERVICE } from './service.js';
import { SHARING } from './sharing.js';
import { TRANSCRIPTS } from './transcripts.js';
import { UPLOADS } from './uploads.js';
import { USERS } from './users.js';
import { WEBHOOKS } from './webhooks.js';

/** Each builds on those before it. */
const TOPICS = [
  SERVICE,
  USERS,
  ORGANIZATIONS,
  RECORDINGS,
  RECORDING_COUNTS,
  UPLOADS,
  QUOTAS,
  TRANSCRIPTS,
  SEARCH,
  SHARING,
  WEBHOOKS,
  CHANGE_LOG,
  LOGGED_CHANGES,
];

/** The schema of release 1.0.0. */
export class CreateSchema1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const extension of ['pg_trgm', 'btree_gin'])
      await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS ${extension}`);
    for (const statement of TOPICS.flatMap(({ up }) => up)) await queryRunner.query(statement);
  }

  /** The extensions stay: others may use them, and they may have been there before. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of TOPICS.toReversed().flatMap(({ down }) => down))
      await queryRunner.query(statement);
  }
}
