import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { sha256 } from '../support/objects.js';
import { padded, settled } from '../support/packaged.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { SourceServer } from '../support/source-server.js';
import { created, demoVideo, MIB, storedSha256 } from '../support/uploads.js';

/** Several parts, which the server takes seconds to send. */
const VIDEO = padded(demoVideo(), randomBytes(40 * MIB));
const SLOW = { slow: true };

describe('a fetch whose worker is killed', () => {
  let service: TestService;
  let source: SourceServer;

  beforeAll(async () => {
    source = await SourceServer.start(VIDEO);
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' });
    await service.import({ users: [user('Ada')] });
  });
  afterAll(async () => {
    await service.stop();
    await source.stop();
  });

  async function received(): Promise<number> {
    const [row] = await service.dataSource.query<[{ received: string }]>('SELECT received FROM uploads');
    return Number(row.received);
  }

  /** Kills the worker once it has stored more than `before` bytes, and returns how many are stored then. */
  async function killAfter(before: number): Promise<number> {
    const worker = await service.startWorker();
    await eventually(async () => expect(await received()).toBeGreaterThan(before));
    await worker.kill('SIGKILL');
    const stored = await received();
    expect(stored).toBeLessThan(VIDEO.length);
    return stored;
  }

  it('is continued by another worker with the bytes that are missing, and the file is complete', async () => {
    source.next = [SLOW, SLOW];
    const ada = service.api.as(keyOf('Ada'));
    const { id } = await created(ada, { source_url: source.url() });
    const first = await killAfter(0);
    expect(await storedSha256(service, id)).toBe(sha256(VIDEO.subarray(0, first)));
    const second = await killAfter(first);
    expect(await storedSha256(service, id)).toBe(sha256(VIDEO.subarray(0, second)));

    await service.startWorker();
    const { status, videoUrl } = await settled(ada, id, { withinMs: 60_000 });
    expect(status).toBe('COMPLETED');
    const video = await fetch(videoUrl);
    expect(sha256(new Uint8Array(await video.arrayBuffer()))).toBe(sha256(VIDEO));
    expect(source.requests).toEqual(['all', `bytes=${first}-`, `bytes=${second}-`]);
    await eventually(async () =>
      expect(await service.dataSource.query('SELECT FROM upload_sources')).toEqual([]),
    );
  }, 150_000);
});
