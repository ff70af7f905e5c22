import { isIP } from 'node:net';
import { escapeLiteral } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/** Who causes the changes of a transaction, as the change log records it. */
export interface ChangeSource {
  readonly kind: 'user' | 'command_line' | 'service' | 'recipient' | 'anonymous';
  readonly userId?: string;
  readonly apiKeyId?: string;
  readonly requestId?: string;
  /** IP address that the request came from. */
  readonly address?: string;
}

/** The name under which triggers find it (`change_source()`). */
export const CHANGE_SOURCE = 'meeting_recordings.change_source';

const ANNOUNCE = `SELECT set_config('${CHANGE_SOURCE}', `;

/** The text of a statement without the value that it announces, for the log. */
export function withoutSource(sql: string): string {
  const at = sql.indexOf(ANNOUNCE);
  return at < 0 ? sql : `${sql.slice(0, at + ANNOUNCE.length)}...`;
}

/** The value of the setting. Text that is no IP address, as an untrusted proxy might send, is left out. */
export function changeSourceValue({ address, ...source }: ChangeSource): string {
  return JSON.stringify(address !== undefined && isIP(address) > 0 ? { ...source, address } : source);
}

/**
 * Runs a transaction whose changes are logged as those of `source`; without one, changes are logged as those of the service
 * itself. The statement that begins the transaction says so, hence no further round trip.
 */
export async function transactionBy<T>(
  dataSource: DataSource,
  source: ChangeSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const query = runner.query.bind(runner) as (...parameters: unknown[]) => Promise<unknown>;
  const announce = `${ANNOUNCE}${escapeLiteral(changeSourceValue(source))}, true)`;
  runner.query = (begin: string, ...rest: unknown[]) => {
    runner.query = query as typeof runner.query;
    return query(`${begin}; ${announce}`, ...rest) as Promise<never>;
  };
  try {
    return await runner.manager.transaction(work);
  } finally {
    await runner.release();
  }
}
