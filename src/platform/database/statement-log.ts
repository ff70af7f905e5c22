import { isPromise } from 'node:util/types';
import type { ClientBase, QueryResult } from 'pg';
import type { AppLogger } from '../logging/app-logger.js';

/** Called with each new connection by the pool or whatever else opens it. */
export type OnConnect = ((client: ClientBase) => void | Promise<void>) | undefined;

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

/**
 * Logs every statement of a connection: its text with placeholders, and its outcome. Never a value, and only the code
 * of an error, as PostgreSQL's message may quote a value. Wraps the connection, because TypeORM's logger sees neither
 * durations and row counts nor the statements of `preparedQuery`. Undefined unless the log level is trace.
 */
export function statementLog({ pino }: AppLogger): OnConnect {
  if (!pino.isLevelEnabled('trace')) return undefined;
  return (client) => {
    const send = client.query.bind(client) as Query;
    const query: Query = (...args) => {
      const sql = textOf(args[0]);
      const begun = performance.now();
      const ms = (): number => Number((performance.now() - begun).toFixed(2));
      return observe(send, args, (error, result) => {
        if (error) pino.trace({ sql, ms: ms(), code: codeOf(error) }, 'statement failed');
        else pino.trace({ sql, ms: ms(), rows: rowsOf(result) }, 'statement');
      });
    };
    client.query = query as ClientBase['query'];
  };
}

/** Calls `query`, which reports its result to the callback if there is one, otherwise by a promise. */
function observe(query: Query, args: unknown[], onEnd: Callback): unknown {
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const both: Callback = (error, result) => {
      onEnd(error, result);
      (callback as Callback)(error, result);
    };
    return query(...args.slice(0, -1), both);
  }
  const answer = query(...args);
  if (isPromise(answer)) answer.then((result) => onEnd(null, result), onEnd);
  return answer;
}

const textOf = (statement: unknown): string | undefined =>
  typeof statement === 'string' ? statement : (statement as { text?: string }).text;

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

/** Unknown for several statements in one text, and for statements without rows. */
const rowsOf = (result: unknown): number | undefined =>
  (result as Partial<QueryResult>).rowCount ?? undefined;
