import { isIP } from 'node:net';
import type { DataSource, EntityManager } from 'typeorm';

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

/** The value of the setting. Text that is no IP address, as an untrusted proxy might send, is left out. */
export function changeSourceValue({ address, ...source }: ChangeSource): string {
  return JSON.stringify(address !== undefined && isIP(address) > 0 ? { ...source, address } : source);
}

/**
 * Runs a transaction whose changes are logged as those of `source`: its first statement announces it, and the setting
 * ends with the transaction. Without an announcement, changes are logged as those of the service itself.
 */
export function transactionBy<T>(
  dataSource: DataSource,
  source: ChangeSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return dataSource.transaction(async (manager) => {
    await manager.sql`SELECT set_config(${() => `'${CHANGE_SOURCE}'`}, ${changeSourceValue(source)}, true)`;
    return work(manager);
  });
}
