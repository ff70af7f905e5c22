import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sealerOf } from '../../sealing/migration-sealer.js';

const BATCH = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface PlainToken {
  readonly id: string;
  readonly token: string;
}

interface SealedToken {
  readonly id: string;
  readonly token_sealed: Buffer;
  readonly sealing_key_id: string;
}

/**
 * The database no longer holds the tokens of share links, only their SHA-256, by which they are found, and the tokens
 * encrypted with a key outside the database, so that they can be shown again. The table is rewritten in the end: dropping a
 * column leaves its values in the files of the table.
 */
export class SealShareTokens1764640000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sealing_keys (
        id text CONSTRAINT sealing_keys_pkey PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        lost_at timestamptz
      )`);
    await queryRunner.query(`
      ALTER TABLE share_links
        ADD COLUMN token_hash bytea,
        ADD COLUMN token_sealed bytea,
        ADD COLUMN sealing_key_id text`);
    await queryRunner.query(`UPDATE share_links SET token_hash = sha256(convert_to(token, 'UTF8'))`);
    await sealAll(queryRunner);
    await queryRunner.query('ALTER TABLE share_links DROP COLUMN token');
    await queryRunner.query(`
      ALTER TABLE share_links
        ALTER COLUMN token_hash TYPE bytea USING token_hash || ''::bytea,
        ALTER COLUMN token_hash SET NOT NULL,
        ALTER COLUMN token_sealed SET NOT NULL,
        ALTER COLUMN sealing_key_id SET NOT NULL,
        ADD CONSTRAINT share_links_sealing_key_id_fkey
          FOREIGN KEY (sealing_key_id) REFERENCES sealing_keys (id) ON DELETE RESTRICT`);
    await queryRunner.query('CREATE UNIQUE INDEX share_links_token_hash_key ON share_links (token_hash)');
  }

  /** Links whose sealing key was lost are deleted: their tokens are no longer known. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE share_links ADD COLUMN token text');
    await queryRunner.query(
      'DELETE FROM share_links WHERE sealing_key_id IN (SELECT id FROM sealing_keys WHERE lost_at IS NOT NULL)',
    );
    await unsealAll(queryRunner);
    await queryRunner.query(`
      ALTER TABLE share_links
        ALTER COLUMN token SET NOT NULL,
        DROP COLUMN token_hash,
        DROP COLUMN token_sealed,
        DROP COLUMN sealing_key_id`);
    await queryRunner.query('CREATE UNIQUE INDEX share_links_token_key ON share_links (token)');
    await queryRunner.query('DROP TABLE sealing_keys');
  }
}

async function sealAll(queryRunner: QueryRunner): Promise<void> {
  let links = await nextLinks<PlainToken>(queryRunner, 'token', FIRST_ID);
  if (links.length === 0) return;
  const sealer = await sealerOf(queryRunner, { create: true });
  await queryRunner.query('INSERT INTO sealing_keys (id) VALUES ($1)', [sealer.keyId]);
  while (links.length > 0) {
    const sealed = links.map(({ id, token }) => sealer.seal(token, placeOf(id)));
    await queryRunner.query(
      `UPDATE share_links link SET token_sealed = given.sealed, sealing_key_id = given.key_id
       FROM unnest($1::uuid[], $2::bytea[], $3::text[]) AS given (id, sealed, key_id) WHERE link.id = given.id`,
      [links.map(({ id }) => id), sealed.map((one) => one.sealed), sealed.map(({ keyId }) => keyId)],
    );
    links = await nextLinks<PlainToken>(queryRunner, 'token', links.at(-1)!.id);
  }
}

async function unsealAll(queryRunner: QueryRunner): Promise<void> {
  const columns = 'token_sealed, sealing_key_id';
  let links = await nextLinks<SealedToken>(queryRunner, columns, FIRST_ID);
  if (links.length === 0) return;
  const sealer = await sealerOf(queryRunner, { create: false });
  while (links.length > 0) {
    const tokens = links.map(({ id, token_sealed: sealed, sealing_key_id: keyId }) =>
      sealer.unseal({ keyId, sealed }, placeOf(id)),
    );
    await queryRunner.query(
      `UPDATE share_links link SET token = given.token
       FROM unnest($1::uuid[], $2::text[]) AS given (id, token) WHERE link.id = given.id`,
      [links.map(({ id }) => id), tokens],
    );
    links = await nextLinks<SealedToken>(queryRunner, columns, links.at(-1)!.id);
  }
}

function nextLinks<Row>(queryRunner: QueryRunner, columns: string, after: string): Promise<Row[]> {
  return queryRunner.query(
    `SELECT id, ${columns} FROM share_links WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
    [after],
  );
}

/** What a sealed token is bound to. */
const placeOf = (id: string): string => `share link ${id}`;
