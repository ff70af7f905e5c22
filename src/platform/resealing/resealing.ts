import type { DataSource } from 'typeorm';
import { violates } from '../database/database-errors.js';
import type { Sealer } from '../sealing/sealer.js';

/** A table with sealed texts that refers to the key of each. */
export interface SealedTexts {
  /**
   * Selects `id`, `sealed` and `keyId` of the next rows and locks them. $1: the current key; $2: all keys of this process; $3: the
   * id after which they begin; $4: how many.
   */
  readonly next: string;
  /** $1: the current key; $2 and $3: ids, and what is sealed with it. */
  readonly reseal: string;
  /** The foreign key to `sealing_keys`. */
  readonly constraint: string;
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

  private batch({ next, reseal, placeOf }: SealedTexts, after: string): Promise<SealedRow[]> {
    const { keyId, keyIds } = this.sealer;
    return this.dataSource.transaction(async (manager) => {
      const rows = await manager.query<SealedRow[]>(next, [keyId, keyIds, after, BATCH]);
      const sealed = rows.map((row) => this.sealAgain(row, placeOf(row.id)));
      await manager.query(reseal, [keyId, rows.map(({ id }) => id), sealed]);
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
        if (this.tables.some(({ constraint }) => violates(error, constraint))) return false;
        throw error;
      },
    );
  }
}
