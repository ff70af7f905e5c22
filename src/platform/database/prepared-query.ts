import type { Client, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';

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
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as Client;
    return await queryOrClose<Row & QueryResultRow>(client, { name, text, values: [...values] });
  } finally {
    await runner.release();
  }
}

/** After an error, the pool opens another connection: this one would keep a plan that a migration has made wrong. */
async function queryOrClose<Row extends QueryResultRow>(
  client: Client,
  statement: PreparedStatement & { values: unknown[] },
): Promise<Row[]> {
  try {
    return (await client.query<Row>(statement)).rows;
  } catch (error) {
    void client.end();
    throw error;
  }
}
