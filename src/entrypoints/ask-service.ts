import type { Settings } from '../platform/config/settings.js';

export interface Service {
  readonly url: string;
  readonly answers: boolean;
  /** Whether anything answers, such as another program. */
  readonly isTaken: boolean;
  /** Identifies its database; null if it is not ready. */
  readonly instance: string | null;
  /** Why it is not ready; null if it is. */
  readonly problem: string | null;
}

interface Readiness {
  readonly data?: { readonly status?: string; readonly instance?: string };
  readonly error?: { readonly code?: string; readonly message?: string };
}

/** Asks the service on this address of this machine; another program counts as none. */
export async function askService(
  { host, port }: Pick<Settings, 'host' | 'port'>,
  withinMs = 5_000,
): Promise<Service> {
  const name = ['0.0.0.0', '::', '::0'].includes(host) ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  const asking = new AbortController();
  // Unlike AbortSignal.timeout, it keeps a process alive that does nothing else, even when the connection breaks.
  const timer = setTimeout(() => asking.abort(), withinMs);
  const reply = await fetch(`${url}/health/ready`, { signal: asking.signal }).catch(() => null);
  const { data, error } = ((await reply?.json().catch(() => null)) ?? {}) as Readiness;
  clearTimeout(timer);
  const isUnready = error?.code === 'SERVICE_UNAVAILABLE';
  const answers = data?.status === 'ok' || isUnready;
  const problem = isUnready ? (error.message ?? null) : null;
  return { url, answers, isTaken: reply !== null, instance: data?.instance ?? null, problem };
}
