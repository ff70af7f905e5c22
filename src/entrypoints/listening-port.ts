import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { StartError, type Settings } from '../platform/config/settings.js';

/** Not every program that listens answers. */
const LOOK_MS = 1_000;

export interface Address {
  readonly host: string;
  readonly port: number;
  /** Name of the setting with the port. */
  readonly setting: 'PORT' | 'WORKER_HEALTH_PORT' | 'METRICS_PORT';
}

export const apiAddress = ({ host, port }: Settings): Address => ({ host, port, setting: 'PORT' });

/** Null if a worker is not to answer. */
export const workerHealthAddress = ({ host, workerHealthPort: port }: Settings): Address | null =>
  port === undefined ? null : { host, port, setting: 'WORKER_HEALTH_PORT' };

/** Null if metrics are not served. */
export const metricsAddress = ({ metrics }: Settings): Address | null =>
  metrics && { ...metrics, setting: 'METRICS_PORT' };

/** Returns the port to listen on, a free one for 0. Throws if there is none: before a start makes anything. */
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
    return new StartError(
      `${setting === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'}: ${host} is not an address of this machine`,
    );
  return error;
}

export interface Service {
  readonly url: string;
  readonly answers: boolean;
  /** Identifies its database; null if it is not ready. */
  readonly instance: string | null;
  /** Why it is not ready; null if it is. */
  readonly problem: string | null;
}

/** Where a service on this machine is reached from it. */
export function urlOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  const name = ['0.0.0.0', '::', '::0'].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Asks the service on this address of this machine; another program counts as none. */
export async function askService(
  { host, port }: Pick<Settings, 'host' | 'port'>,
  withinMs = 5_000,
): Promise<Service> {
  const url = urlOf({ host, port });
  const asking = new AbortController();
  // Unlike AbortSignal.timeout, it keeps a process alive that does nothing else, even when the connection breaks.
  const timer = setTimeout(() => asking.abort(), withinMs);
  const reply = await fetch(`${url}/health/ready`, { signal: asking.signal }).catch(() => null);
  const { data, error } = ((await reply?.json().catch(() => null)) ?? {}) as {
    readonly data?: { readonly status?: string; readonly instance?: string };
    readonly error?: { readonly code?: string; readonly message?: string };
  };
  clearTimeout(timer);
  const isUnready = error?.code === 'SERVICE_UNAVAILABLE';
  const answers = data?.status !== undefined || isUnready;
  const problem = isUnready ? (error.message ?? null) : null;
  return { url, answers, instance: data?.instance ?? null, problem };
}
