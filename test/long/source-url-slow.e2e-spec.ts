import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { SHORT, startFetchWorker, type FetchWorker } from '../support/fetch-worker.js';
import { settled } from '../support/packaged.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { SourceServer } from '../support/source-server.js';
import { created, demoVideo, fakeVideo, MIB } from '../support/uploads.js';

/** Takes four minutes: for the tests, it does not end. */
const ENDLESS = fakeVideo(8 * MIB);
/** Without ranges. */
const DRIPS = { drips: true, plain: true };

describe('a worker that fetches', () => {
  let service: TestService;
  let dripping: SourceServer;
  let other: SourceServer;
  let worker: FetchWorker;

  beforeAll(async () => {
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' });
    await service.import({ users: [user('Ada'), user('Ben'), user('Cleo')] });
    worker = await startFetchWorker(service);
  });
  afterAll(async () => {
    await worker.stop();
    await service.stop();
  });
  beforeEach(async () => {
    worker.limit(SHORT);
    dripping = await SourceServer.start(ENDLESS);
    dripping.always = DRIPS;
    other = await SourceServer.start(demoVideo());
  });
  afterEach(async () => {
    await service.dataSource.query('DELETE FROM recordings');
    await dripping.stop();
    await other.stop();
    // Those of the sources that are no longer there end.
    await eventually(async () => expect(await fetches()).toBe(0));
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const open = async (name: string, source: SourceServer): Promise<string> =>
    (await created(as(name), { source_url: source.url() })).id;
  const status = async (name: string, id: string): Promise<string> =>
    (await as(name).get(`/recordings/${id}`)).body.data.status;
  /** Resolves when the file has arrived; looks into the database, as a request costs more. */
  const fetched = (id: string): Promise<void> =>
    eventually(async () => {
      const [row] = await service.dataSource.query('SELECT status FROM recordings WHERE id = $1', [id]);
      expect(['PROCESSING', 'COMPLETED']).toContain(row.status);
    });
  /** Running or waiting. */
  const fetches = async (flag?: string): Promise<number> => {
    const [{ count }] = await service.dataSource.query(
      `SELECT count(DISTINCT key)::int AS count FROM graphile_worker.jobs
       WHERE key LIKE 'fetch:%' AND ($1::text IS NULL OR flags ? $1)`,
      [flag ?? null],
    );
    return count;
  };
  const slowFetches = (): Promise<number> => fetches('group:slow-sources');
  /** Two accounts hold all slots of the worker, and more of theirs wait. None is measured before that. */
  async function attack(each = 3): Promise<string[]> {
    worker.limit({ paceMs: Infinity, sliceMs: Infinity });
    const ids: string[] = [];
    for (let n = 0; n < each; n += 1) ids.push(await open('Ada', dripping), await open('Ben', dripping));
    await eventually(async () => expect(dripping.open.size).toBe(4));
    worker.limit(SHORT);
    return ids;
  }

  it('refuses a file that is no media at its first bytes', async () => {
    const text = await SourceServer.start(Buffer.from('# Our product\n'.repeat(100_000)));
    text.always = { breakAfter: 5_000, stall: true };
    const id = await open('Ada', text);
    await eventually(async () => expect(await status('Ada', id)).toBe('ERROR'));
    expect((await as('Ada').get(`/recordings/${id}`)).body.data.statusReason).toMatch(
      /^The file is a text file\. Upload audio or video instead, such as MP4/,
    );
    await text.stop();
  });

  describe('sources that drip', () => {
    it("of two accounts hold no more than half of the slots, and somebody else's fetch starts and finishes", async () => {
      const ids = await attack();
      const honest = await open('Cleo', other);
      expect((await settled(as('Cleo'), honest)).status).toBe('COMPLETED');
      await eventually(async () => expect(await slowFetches()).toBe(ids.length));
      expect(dripping.open.size).toBeLessThanOrEqual(2);
      expect(await status('Ada', ids[0]!)).toBe('UPLOADING');
      await worker.stop();
      worker = await startFetchWorker(service);
      await eventually(async () => expect(dripping.open.size).toBe(2));
      expect(await slowFetches()).toBe(ids.length);
    });

    it('are given up when their day is over, also in the middle of an attempt', async () => {
      worker.limit({ longestMs: 1_500 });
      const { status: ended, statusReason } = await settled(as('Ada'), await open('Ada', dripping));
      expect([ended, statusReason]).toEqual(['ERROR', 'The file could not be fetched within a day.']);
    });

    it('do not get their places back by breaking off before they are measured', async () => {
      const ids = await attack();
      const impatient = setInterval(() => {
        for (const reply of dripping.open) reply.destroy();
      }, 280);
      try {
        const honest = await open('Cleo', other);
        await fetched(honest);
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
        await fetched(honest);
        expect(slow.requests.length).toBeGreaterThan(1);
      } finally {
        await slow.stop();
      }
    });
  });

  it('goes on with a fetch that would have to start over for as long as nobody waits', async () => {
    const slow = await SourceServer.start(fakeVideo(15 * MIB));
    try {
      slow.always = { slow: true, plain: true };
      const begun = performance.now();
      await fetched(await open('Ada', slow));
      expect(performance.now() - begun).toBeGreaterThan(2 * SHORT.sliceMs);
      expect(slow.requests).toEqual(['all']);
    } finally {
      await slow.stop();
    }
  });
});
