import { SpanKind } from '@opentelemetry/api';
import type { Client, ClientBase, QueryResult, QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { METRICS } from '../telemetry/metrics.js';
import { noteStatement } from '../telemetry/observed.js';
import { spannedWithin } from '../telemetry/spans.js';
import { reading } from './servers/replica.js';
import { sql, type Sql } from './sql.js';

/** A named statement: PostgreSQL plans it once per connection instead of on every call. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** Requests that arrive together and read the same share the rows, which they must not change. */
  readonly shared?: true;
  /** It writes, and may wait for a lock: nothing else is sent with it. */
  readonly alone?: true;
}

interface Call {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: Error) => void;
}

/** More would wait for each other, and a slow one for all of them. */
const MAX_TOGETHER = 8;

/** Shorter waits are not worth a measurement. */
const SHORTEST_WAIT_S = 0.001;

/** What has been called in this turn of the event loop. */
const calls = new WeakMap<DataSource, Call[]>();

/**
 * Runs a statement on the hot path of every request. Only for statements whose best plan does not depend on the
 * parameters, such as lookups by key; TypeORM's own `query` plans on every call. What is called in one turn of the event
 * loop is sent together, on one connection and without waiting in between, which would cost as much as all the rest of
 * a lookup; under load, that is several requests. Each succeeds or fails by itself. What only reads may be read from a replica.
 */
export const preparedQuery = <Row>(
  dataSource: DataSource,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> =>
  asSpan(statement.name, () =>
    statement.alone
      ? enqueue(dataSource, statement, values)
      : reading(dataSource, (source) => enqueue(source, statement, values)),
  );

/** What a library that names its statements takes as a client of `pg`; not every pooler keeps what has a name. */
export const clientOf = (dataSource: DataSource) => ({
  query: async ({ values, ...statement }: PreparedStatement & Pick<Call, 'values'>) => {
    const rows = await enqueue(dataSource, { ...statement, alone: true }, values);
    return { rows, rowCount: rows.length };
  },
});

/** With the time for which it waits. */
const asSpan = <T>(name: string, run: () => Promise<T>): Promise<T> =>
  spannedWithin(`statement ${name}`, SpanKind.CLIENT, run);

const enqueue = <Row>(
  dataSource: DataSource,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const call = { statement, values, resolve, reject };
    const known = calls.get(dataSource);
    if (known) return void known.push(call);
    calls.set(dataSource, [call]);
    setImmediate(sendAll, dataSource);
  });

function sendAll(dataSource: DataSource): void {
  const all = calls.get(dataSource) ?? [];
  calls.delete(dataSource);
  const together = all.filter(({ statement }) => !statement.alone);
  for (const call of all) if (call.statement.alone) void send(dataSource, [call]);
  for (let at = 0; at < together.length; at += MAX_TOGETHER)
    void send(dataSource, together.slice(at, at + MAX_TOGETHER));
}

async function send(dataSource: DataSource, batch: readonly Call[]): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const begun = performance.now();
    const client = (await runner.connect()) as Client;
    const waited = (performance.now() - begun) / 1_000;
    if (waited >= SHORTEST_WAIT_S) METRICS.poolWait.observe(waited);
    const succeeded = await Promise.all(
      merged(batch).map((same) => runOn(client, same, keepsStatements(dataSource))),
    );
    // After an error, the pool opens another connection: this one would keep a plan that a migration has made wrong.
    if (succeeded.includes(false)) void client.end();
  } catch (error) {
    for (const { reject } of batch) reject(error as Error);
  } finally {
    await runner.release();
  }
}

/** Calls of a shared statement with the same values are one. */
function merged(batch: readonly Call[]): (readonly [Call, ...Call[]])[] {
  const groups: [Call, ...Call[]][] = [];
  for (const call of batch) {
    const same = call.statement.shared && groups.find(([first]) => isSame(first, call));
    if (same) same.push(call);
    else groups.push([call]);
  }
  return groups;
}

const isSame = (one: Call, other: Call): boolean =>
  one.statement === other.statement &&
  one.values.every((value, index) => {
    const given = other.values[index];
    return Buffer.isBuffer(value) && Buffer.isBuffer(given) ? value.equals(given) : value === given;
  });

/** False behind a pooler that does not keep prepared statements: PostgreSQL then plans on every call. */
const keepsStatements = ({ options }: DataSource): boolean =>
  (options.extra as { readonly keepsStatements?: boolean }).keepsStatements !== false;

function runOn(client: Client, same: readonly [Call, ...Call[]], isNamed: boolean): Promise<boolean> {
  const [{ statement, values }] = same;
  const begun = performance.now();
  return new Promise((resolve) => {
    const settle = (error: Error | undefined, result: QueryResult<never>): void => {
      noteStatement(statement.name, begun, error ? 'failed' : 'done');
      for (const call of same) {
        if (error) call.reject(error);
        else call.resolve(result.rows);
      }
      resolve(!error);
    };
    const { name, text } = statement;
    // pg treats an undefined name as none.
    client.query({ name: isNamed ? name : undefined, text, values: [...values] }, settle);
  });
}

/** PostgreSQL's code when a migration has changed what a prepared statement returns. */
const FEATURE_NOT_SUPPORTED = '0A000';

/** Runs a prepared statement in a transaction: only for those planned longer than they run, with a constant text. */
export async function runPrepared<Row>(manager: EntityManager, name: string, statement: Sql): Promise<Row[]> {
  const { queryRunner } = manager;
  if (!queryRunner?.isTransactionActive || !keepsStatements(manager.dataSource))
    return sql(manager)<Row>`${statement}`;
  const client = (await queryRunner.connect()) as Client;
  try {
    return await asSpan(name, () => runPreparedOn<Row & QueryResultRow>(client, name, statement));
  } catch (error) {
    if ((error as { code?: unknown }).code === FEATURE_NOT_SUPPORTED) void client.end();
    throw error;
  }
}

/** Runs a prepared statement on a connection of `pg`. */
export async function runPreparedOn<Row extends QueryResultRow>(
  client: ClientBase,
  name: string,
  statement: Sql,
): Promise<Row[]> {
  const begun = performance.now();
  let result: 'done' | 'failed' = 'failed';
  try {
    const { rows } = await client.query<Row>({ ...statement.toQuery(), name });
    result = 'done';
    return rows;
  } finally {
    noteStatement(name, begun, result);
  }
}
