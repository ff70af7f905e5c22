import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '../../src/contract/changes/event-families.js';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { OpenStream } from '../support/event-stream.js';
import { allPublished } from '../support/events.js';
import { startService, type TestService } from '../support/service.js';

const UNLIMITED = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' };
const KILLS = 5;

describe('while workers that publish are killed', () => {
  let service: TestService;
  const recordings = Array.from({ length: 4 }, () => recording('Ada', { organization: 'Acme' }));

  beforeAll(async () => {
    service = await startService(UNLIMITED);
    const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
    await service.import({ users: [user('Ada')], organizations: [acme], recordings });
  });
  afterAll(() => service.stop());

  it('every change is published once, and readers who follow miss and repeat nothing', async () => {
    const ada = service.api.as(keyOf('Ada'));
    const stream = await OpenStream.open(
      service.api,
      keyOf('Ada'),
      '?cursor=' + (await ada.get('/events')).body.pagination.next_cursor,
    );
    const over = new AbortController();
    const change = async (id: string): Promise<number> => {
      let changes = 0;
      while (!over.signal.aborted) {
        const { status } = await ada.patch(`/recordings/${id}`, { title: `Title ${(changes += 1)}` });
        expect(status).toBe(200);
        await setTimeout(20);
      }
      return changes;
    };
    const polled: string[] = [];
    const poll = async (cursor?: string): Promise<string> => {
      const { body } = await ada.get(`/events?limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      polled.push(...body.data.map(({ id }: { id: string }) => id));
      const { next_cursor: next, has_more: more } = body.pagination;
      if (!more) await setTimeout(20);
      return more || !over.signal.aborted ? poll(next) : next;
    };
    const changing = Promise.all(recordings.map(({ id }) => change(id)));
    const polling = poll();
    for (let killed = 0; killed < KILLS; killed += 1) {
      const worker = await service.startWorker();
      await setTimeout(100 + killed * 150);
      await worker.kill('SIGKILL');
    }
    over.abort();
    const changes = (await changing).reduce((sum, one) => sum + one, 0);
    const cursor = await polling;
    await service.startWorker();
    await allPublished(service);
    await poll(cursor);
    const rows = await service.dataSource.query<{ id: string; type: string }[]>(
      `SELECT c.id, c.type FROM change_log c LEFT JOIN events e ON e.change_id = c.id
       WHERE c.type = ANY ($1) ORDER BY e.position`,
      [EVENT_TYPES],
    );
    const [{ n = 0 } = {}] = await service.dataSource.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM events',
    );
    expect(n).toBe(rows.length);
    expect(rows.filter(({ type }) => type === 'recording.updated').length).toBe(changes);
    expect(polled).toEqual(rows.map(({ id }) => id));
    await stream.until(({ events }) => events.length >= changes);
    const updated = rows.filter(({ type }) => type === 'recording.updated').map(({ id }) => id);
    const streamed = stream.events.filter(({ event }) => event === 'recording.updated');
    expect(streamed.map(({ data }) => data.id)).toEqual(updated);
    stream.close();
  }, 180_000);
});
