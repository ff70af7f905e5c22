import type { Client, Reply } from './client.js';
import type { TestService } from './service.js';

const PATH = '/recordings';

/** A request that creates something each time it is carried out. */
export const create = (api: Client, key: string, title = 'Weekly sync'): Promise<Reply> =>
  api.post(PATH, { title, media: 'none' }, keyed(key));

export const keyed = (key: string): { headers: Record<string, string> } => ({
  headers: { 'idempotency-key': key },
});

export const isReplay = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true';

/** Recordings with this title. */
export async function countTitled({ dataSource }: TestService, title: string): Promise<number> {
  const [row] = await dataSource.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM recordings WHERE title = $1',
    [title],
  );
  return row!.n;
}

export interface StoredKey {
  readonly changed: boolean;
  readonly reply: Buffer | null;
  readonly text: string;
}

/** All stored keys, oldest first. */
export const storedKeys = ({ dataSource }: TestService): Promise<StoredKey[]> =>
  dataSource.query('SELECT changed, reply, k::text AS text FROM idempotency_keys k ORDER BY expires_at, id');
