import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { askService } from './ask-service.js';
import { StartError, type Settings } from '../platform/config/settings.js';

/** Not every program that listens answers. */
const LOOK_MS = 1_000;

export interface Address {
  readonly host: string;
  readonly port: number;
  /** Name of the setting with the port. */
  readonly setting: 'PORT' | 'WORKER_HEALTH_PORT';
}

export const apiAddress = ({ host, port }: Settings): Address => ({ host, port, setting: 'PORT' });

/** Null if a worker is not to answer. */
export const workerHealthAddress = ({ host, workerHealthPort: port }: Settings): Address | null =>
  port === undefined ? null : { host, port, setting: 'WORKER_HEALTH_PORT' };

/**
 * Returns the port to listen on, a free one for 0. Throws if it cannot be listened on: to be called before a
 * start makes anything, such as a database.
 */
export async function findPort(address: Address): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(address.port, address.host), 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw await explainPort(error, address);
  } finally {
    server.close();
  }
}

/** Why the service cannot listen, in one line; any other error as it is. */
export async function explainPort(error: unknown, { host, port, setting }: Address): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const { answers, url } = await askService({ host, port }, LOOK_MS);
    return new StartError(
      answers && setting === 'PORT'
        ? `Meeting Recording Service already runs on ${url}. Stop it first; or, to run another one, set PORT to another port and DATA_DIR to another folder`
        : `Port ${port} on ${host} is already in use; set ${setting} to another port`,
    );
  }
  if (code === 'EACCES')
    return new StartError(`No permission to listen on port ${port}; set ${setting} to another port`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`HOST: ${host} is not an address of this machine`);
  return error;
}
