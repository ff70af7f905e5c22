import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { violates } from '../../../platform/database/database-errors.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { placeOf } from './share-tokens.service.js';

interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
  readonly keyId: string;
}

const BATCH = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** In order of id, like the counting of views, so that they cannot deadlock. */
const NEXT = `
  SELECT id, token_sealed AS sealed, sealing_key_id AS "keyId" FROM share_links
  WHERE sealing_key_id <> $1 AND sealing_key_id = ANY ($2) AND id > $3 ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`;

const RESEAL = `
  UPDATE share_links link SET token_sealed = given.sealed, sealing_key_id = $1
  FROM unnest($2::uuid[], $3::bytea[]) AS given (id, sealed) WHERE link.id = given.id`;

const RETIRE = 'DELETE FROM sealing_keys WHERE id <> $1 AND id = ANY ($2)';

/** Seals the tokens of share links with the current key. */
@Injectable()
export class ShareTokenResealingService {
  constructor(
    private readonly sealer: Sealer,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * Reseals in batches whatever is sealed with another key that this process has, then retires those keys. May be
   * interrupted and run again, also while links are created. Returns the number of tokens.
   */
  async run(): Promise<number> {
    let resealed = 0;
    do {
      let rows = await this.batch(BEFORE_ALL);
      while (rows.length > 0) {
        resealed += rows.length;
        rows = await this.batch(rows.at(-1)?.id ?? BEFORE_ALL);
      }
    } while (!(await this.retire()));
    return resealed;
  }

  private batch(after: string): Promise<SealedRow[]> {
    const { keyId, keyIds } = this.sealer;
    return this.dataSource.transaction(async (manager) => {
      const rows = await manager.query<SealedRow[]>(NEXT, [keyId, keyIds, after]);
      const sealed = rows.map((row) => this.reseal(row));
      await manager.query(RESEAL, [keyId, rows.map(({ id }) => id), sealed]);
      return rows;
    });
  }

  private reseal({ id, ...row }: SealedRow): Buffer {
    const token = this.sealer.unseal(row, placeOf(id));
    if (token === null) throw new Error('The statement selects only keys that this process has');
    return this.sealer.seal(token, placeOf(id)).sealed;
  }

  /** Whether no link used them any more: a process may have sealed with one of them until a moment ago. */
  private async retire(): Promise<boolean> {
    const { keyId, keyIds } = this.sealer;
    return this.dataSource.query(RETIRE, [keyId, keyIds]).then(
      () => true,
      (error: unknown) => {
        if (violates(error, 'share_links_sealing_key_id_fkey')) return false;
        throw error;
      },
    );
  }
}
