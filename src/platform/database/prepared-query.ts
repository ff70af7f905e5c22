import type { Pool, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A statement with a name of its own: PostgreSQL plans it once per connection instead of at every call. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a statement that every request depends on. Only for those that one plan suits whatever the parameters are, such
 * as look-ups by key; TypeORM's own `query` plans anew each time.
 */
export async function preparedQuery<Row>(
  dataSource: DataSource,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  const { rows } = await pool.query<QueryResultRow>({ name, text, values: [...values] });
  return rows as Row[];
}
