import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { SHORT, startFetchWorker } from '../../support/fetch-worker.js';
import { settled } from '../../support/packaged.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { SourceServer } from '../../support/source-server.js';
import { created, demoVideo, fakeVideo, MIB } from '../../support/uploads.js';

/** Takes almost two hours. */
const ENDLESS = fakeVideo(80 * MIB);
/** Without ranges. */
const DRIPS = { drips: true, plain: true };

describe('sources that drip', () => {
  let service: TestService;
  let dripping: SourceServer;
  let other: SourceServer;
  let stopWorker: () => Promise<void>;

  beforeAll(async () => {
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' });
    await service.import({ users: [user('Ada'), user('Ben'), user('Cleo')] });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    dripping = await SourceServer.start(ENDLESS);
    dripping.always = DRIPS;
    other = await SourceServer.start(demoVideo());
    stopWorker = await startFetchWorker(service);
  });
  afterEach(async () => {
    await service.dataSource.query('DELETE FROM recordings');
    await stopWorker();
    await dripping.stop();
    await other.stop();
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const open = async (name: string, source: SourceServer): Promise<string> =>
    (await created(as(name), { source_url: source.url() })).id;
  const status = async (name: string, id: string): Promise<string> =>
    (await as(name).get(`/recordings/${id}`)).body.data.status;
  /** Known to be slow, whether running or waiting. */
  const slowFetches = async (): Promise<number> => {
    const [{ count }] = await service.dataSource.query(
      `SELECT count(DISTINCT key)::int AS count FROM graphile_worker.jobs WHERE key LIKE 'fetch:%' AND flags ? 'group:slow-sources'`,
    );
    return count;
  };
  /** Two accounts hold all slots of the worker, and more of theirs wait. */
  async function attack(each = 3): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < each; n += 1) ids.push(await open('Ada', dripping), await open('Ben', dripping));
    await eventually(async () => expect(dripping.open.size).toBe(4));
    return ids;
  }

  it("of two accounts hold no more than half of the slots, and somebody else's fetch starts and finishes", async () => {
    const ids = await attack();
    const honest = await open('Cleo', other);
    expect((await settled(as('Cleo'), honest)).status).toBe('COMPLETED');
    await eventually(async () => expect(await slowFetches()).toBe(ids.length));
    expect(dripping.open.size).toBeLessThanOrEqual(2);
    expect(await status('Ada', ids[0]!)).toBe('UPLOADING');
    await stopWorker();
    stopWorker = await startFetchWorker(service);
    await eventually(async () => expect(dripping.open.size).toBe(2));
    expect(await slowFetches()).toBe(ids.length);
  });

  it('are given up when their day is over, also in the middle of an attempt', async () => {
    await stopWorker();
    stopWorker = await startFetchWorker(service, { ...SHORT, longestMs: 4_000 });
    const { status: ended, statusReason } = await settled(as('Ada'), await open('Ada', dripping));
    expect([ended, statusReason]).toEqual(['ERROR', 'The file could not be fetched within a day.']);
  });

  it('do not get their places back by breaking off before they are measured', async () => {
    const ids = await attack();
    const impatient = setInterval(() => {
      for (const reply of dripping.open) reply.destroy();
    }, 700);
    try {
      const honest = await open('Cleo', other);
      expect((await settled(as('Cleo'), honest)).status).toBe('COMPLETED');
      await eventually(async () => expect(await slowFetches()).toBe(ids.length));
    } finally {
      clearInterval(impatient);
    }
  });

  it('give their places to other slow ones, of which one without ranges finishes in a turn that is long enough', async () => {
    await attack(2);
    const slow = await SourceServer.start(demoVideo());
    try {
      slow.always = DRIPS;
      const honest = await open('Cleo', slow);
      expect((await settled(as('Cleo'), honest)).status).toBe('COMPLETED');
      expect(slow.requests.length).toBeGreaterThan(1);
    } finally {
      await slow.stop();
    }
  });
});

it('a fetch that would have to start over goes on for as long as nobody waits', async () => {
  const service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const source = await SourceServer.start(fakeVideo(30 * MIB));
  source.always = { slow: true, plain: true };
  await service.import({ users: [user('Ada')] });
  const ada = service.api.as(keyOf('Ada'));
  const stop = await startFetchWorker(service);
  try {
    const { id } = await created(ada, { source_url: source.url() });
    await settled(ada, id);
    expect(source.requests).toEqual(['all']);
  } finally {
    await stop();
    await source.stop();
    await service.stop();
  }
});
