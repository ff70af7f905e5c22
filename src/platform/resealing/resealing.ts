import type { DataSource } from 'typeorm';
import { violates } from '../database/database-errors.js';
import type { Sealer } from '../sealing/sealer.js';

/** A column of sealed texts in a table whose `sealing_key_id` refers to the key of each. */
export interface SealedTexts {
  readonly table: 'share_links' | 'webhook_secrets' | 'webhooks';
  readonly column: 'token_sealed' | 'secret_sealed' | 'url_sealed';
  /** What the sealed text of a row is bound to. */
  readonly placeOf: (id: string) => string;
}

interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
  readonly keyId: string;
}

const BATCH = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * $1: the current key; $2: all keys of this process; $3: the id after which they begin. In order of id, like the counting of views
 * and other runs, so that they cannot deadlock.
 */
const next = ({ table, column }: SealedTexts): string => `
  SELECT id, ${column} AS sealed, sealing_key_id AS "keyId" FROM ${table}
  WHERE sealing_key_id <> $1 AND sealing_key_id = ANY ($2) AND id > $3 ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`;

/** $1: the current key; $2 and $3: ids, and what is sealed with it. */
const reseal = ({ table, column }: SealedTexts): string => `
  UPDATE ${table} row SET ${column} = given.sealed, sealing_key_id = $1
  FROM unnest($2::uuid[], $3::bytea[]) AS given (id, sealed) WHERE row.id = given.id`;

const RETIRE = 'DELETE FROM sealing_keys WHERE id <> $1 AND id = ANY ($2)';

/** Seals texts with the current key. */
export class Resealing {
  constructor(
    private readonly sealer: Sealer,
    private readonly dataSource: DataSource,
    private readonly tables: readonly SealedTexts[],
  ) {}

  /**
   * Reseals in batches whatever is sealed with another key that this process has, then retires those keys. May be
   * interrupted and run again, also while rows are created. Returns the number of texts.
   */
  async run(): Promise<number> {
    let resealed = 0;
    do {
      for (const table of this.tables) resealed += await this.reseal(table);
    } while (!(await this.retire()));
    return resealed;
  }

  private async reseal(table: SealedTexts): Promise<number> {
    let resealed = 0;
    let rows = await this.batch(table, BEFORE_ALL);
    while (rows.length > 0) {
      resealed += rows.length;
      rows = await this.batch(table, rows.at(-1)?.id ?? BEFORE_ALL);
    }
    return resealed;
  }

  private batch(table: SealedTexts, after: string): Promise<SealedRow[]> {
    const { keyId, keyIds } = this.sealer;
    return this.dataSource.transaction(async (manager) => {
      const rows = await manager.query<SealedRow[]>(next(table), [keyId, keyIds, after]);
      const sealed = rows.map((row) => this.sealAgain(row, table.placeOf(row.id)));
      await manager.query(reseal(table), [keyId, rows.map(({ id }) => id), sealed]);
      return rows;
    });
  }

  private sealAgain(row: SealedRow, place: string): Buffer {
    const text = this.sealer.unseal(row, place);
    if (text === null) throw new Error('The statement selects only keys that this process has');
    return this.sealer.seal(text, place).sealed;
  }

  /** Whether no row used them any more: a process may have sealed with one of them until a moment ago. */
  private async retire(): Promise<boolean> {
    const { keyId, keyIds } = this.sealer;
    return this.dataSource.query(RETIRE, [keyId, keyIds]).then(
      () => true,
      (error: unknown) => {
        if (this.tables.some(({ table }) => violates(error, `${table}_sealing_key_id_fkey`))) return false;
        throw error;
      },
    );
  }
}
