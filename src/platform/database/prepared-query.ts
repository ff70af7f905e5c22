import type { Pool, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A named statement: PostgreSQL plans it once per connection instead of on every call. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a statement on the hot path of every request. Only for statements whose best plan does not depend on the
 * parameters, such as lookups by key; TypeORM's own `query` plans on every call.
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
