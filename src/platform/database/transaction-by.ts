import { isIP } from 'node:net';
import type { DataSource, EntityManager } from 'typeorm';
import { traceHeaders } from '../telemetry/spans.js';
import { sql } from './sql.js';

/** Who causes the changes of a transaction, as the change log records it. */
export interface ChangeSource {
  readonly kind: 'user' | 'command_line' | 'service' | 'recipient' | 'anonymous';
  readonly userId?: string;
  readonly apiKeyId?: string;
  readonly requestId?: string;
  /** IP address that the request came from. */
  readonly address?: string;
  /** The program that made the request, as it names itself. */
  readonly client?: string | undefined;
}

/** The name under which triggers find it (`change_source()`). */
export const CHANGE_SOURCE = 'meeting_recordings.change_source';

/** The value of the setting, with the current trace. Text that is no IP address, as proxies might send, is left out. */
export const changeSourceValue = ({ address, ...source }: ChangeSource): string =>
  JSON.stringify({
    ...source,
    ...(address !== undefined && isIP(address) > 0 && { address }),
    ...traceHeaders(),
  });

/** Says whose the changes of the transaction that has begun are. */
export async function setChangeSource(manager: EntityManager, source: ChangeSource): Promise<void> {
  await sql(manager)`
    SELECT set_config(${() => `'${CHANGE_SOURCE}'`}, ${changeSourceValue(source)}, true)`;
}

/** Runs a transaction whose changes are logged as those of `source`, without which they are the service's own. */
export const transactionBy = <T>(
  dataSource: DataSource,
  source: ChangeSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> =>
  dataSource.transaction(async (manager) => {
    await setChangeSource(manager, source);
    return work(manager);
  });
