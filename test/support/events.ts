import type { PublishedEvent } from '../../src/modules/events/public/published-event.js';
import { EVENT_COLUMNS } from '../../src/modules/events/publishing/publishing.queries.js';
import { eventually, type TestService } from './service.js';

/** Resolves when a worker process has published everything that has been committed. */
export async function allPublished({ dataSource }: TestService): Promise<void> {
  await eventually(async () => {
    const [{ n = 1 } = {}] = await dataSource.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM unpublished_changes',
    );
    if (n > 0) throw new Error(`${n} changes are not published`);
  });
}

/** The events that `work` causes, in the order of their positions. */
export async function eventsOf(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<readonly PublishedEvent[]> {
  await allPublished(service);
  const [{ last = '0' } = {}] = await service.dataSource.query<{ last: string }[]>(
    'SELECT coalesce(max(position), 0)::text AS last FROM events',
  );
  await work();
  await allPublished(service);
  return service.dataSource.query<PublishedEvent[]>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE position > $1 ORDER BY position`,
    [last],
  );
}
