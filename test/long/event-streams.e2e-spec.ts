import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { OpenStream } from '../support/event-stream.js';
import { allPublished } from '../support/events.js';
import { eventually, startService, type TestService } from '../support/service.js';

describe('a stream of events that stays open', () => {
  let service: TestService;
  const own = recording('Ada');

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada'), user('Grace')], recordings: [own] });
    await allPublished(service);
  });
  afterAll(() => service.stop());

  it('has a comment every 15 seconds, from whose id on a client misses nothing', async () => {
    const grace = await OpenStream.open(service.api, keyOf('Grace'));
    const ada = service.api.as(keyOf('Ada'));
    await ada.patch(`/recordings/${own.id}`, { title: 'Of no concern to Grace' });
    await grace.until(({ messages }) => messages.length === 3, 40_000);
    const [first, second] = grace.messages.slice(1);
    expect(second).toEqual({ comment: 'heartbeat', id: expect.any(String) });
    expect(second?.id).not.toBe(first?.id);
    expect(grace.isOpen).toBe(true);
    grace.close();
    await service.api.as(keyOf('Grace')).patch('/me', { name: 'Amazing Grace' });
    await allPublished(service);
    const again = await OpenStream.open(service.api, keyOf('Grace'), '', {
      'Last-Event-ID': second?.id ?? '',
    });
    await again.until(({ types }) => types.length === 1);
    expect(again.types).toEqual(['user.updated']);
    again.close();
  }, 60_000);

  it('ends for a client that does not read, which does not delay others', async () => {
    // More than what the buffers of both sides take.
    for (let batch = 0; batch < 20; batch += 1)
      await service.dataSource.query(
        `DO $$ BEGIN FOR n IN 1..500 LOOP
           UPDATE recordings SET title = repeat('x', 400) || n || ' ${batch}' WHERE owner_id IS NOT NULL;
         END LOOP; END $$`,
      );
    await allPublished(service);
    const { hostname, port } = new URL(service.api.base);
    const { body } = await service.api.as(keyOf('Ada')).get('/events?limit=1');
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {}).pause();
    socket.write(
      `GET /api/v1/events/stream?cursor=${body.pagination.next_cursor} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keyOf('Ada')}\r\n\r\n`,
    );
    await setTimeout(3_000);
    const other = await OpenStream.open(service.api, keyOf('Grace'));
    await service.api.as(keyOf('Grace')).patch('/me', { name: 'Grace' });
    await other.until(({ types }) => types.includes('user.updated'), 3_000);
    other.close();
    // With the nine of them, it is one of ten until it ends.
    const nine = await Promise.all(
      Array.from({ length: 9 }, () => OpenStream.open(service.api, keyOf('Ada'))),
    );
    expect(nine.map(({ response }) => response.status)).toEqual(nine.map(() => 200));
    const tenth = async (): Promise<number> => {
      const stream = await OpenStream.open(service.api, keyOf('Ada'));
      stream.close();
      return stream.response.status;
    };
    expect(await tenth()).toBe(429);
    await eventually(async () => {
      await setTimeout(1_000);
      expect(await tenth()).toBe(200);
    }, 60_000);
    for (const stream of nine) stream.close();
    socket.destroy();
  }, 120_000);
});
