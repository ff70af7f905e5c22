import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf } from '../factories/workspace.js';
import type { Client } from './client.js';
import { settled } from './packaged.js';
import { until, type Environment } from './process.js';
import { SourceServer } from './source-server.js';
import { created, demoVideo } from './uploads.js';

/** A secret in the path, and in the query under a name that the logger does not know. */
const SECRETS = ['link-of-ada-0123', 'sv-sig-of-ada-4567'] as const;
const [IN_PATH, IN_QUERY] = SECRETS;
const PATH = `/${IN_PATH}/film.mp4?sv=${IN_QUERY}`;
const METADATA = `http://169.254.169.254${PATH}`;
/** Time for what a worker does, on a machine that has much else to do. */
const WITHIN_MS = 50_000;
const TEST_MS = 60_000;

/** An API and a worker, with an empty database in which Ada is a user. */
interface Logging {
  readonly api: Client;
  /** All that they have written so far. */
  written(): string;
  stop(): Promise<unknown>;
  cleanUp(): Promise<void>;
}

/** Shows that the URL of a file to fetch, which may be a secret, is in no line of the log. */
export function describeSourceUrlLog(start: (settings: Environment) => Promise<Logging>): void {
  describe('the whole log of API and worker about a source_url, at level trace', () => {
    let source: SourceServer;
    let service: Logging;
    let ada: Client;

    beforeAll(async () => {
      source = await SourceServer.start(demoVideo());
      service = await start({ LOG_LEVEL: 'trace', ALLOW_PRIVATE_ADDRESSES: 'true' });
      ada = service.api.as(keyOf('Ada'));
    }, TEST_MS);
    afterAll(() => service.cleanUp());

    const fetches = (): Record<string, unknown>[] => {
      const lines = service.written().split('\n');
      return lines
        .filter((line) => line.startsWith('{') && line.includes('"msg":"fetching: '))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };

    it.each([
      ['that succeeds at the second attempt', [{ status: 503 }], 'COMPLETED'],
      ['of a file that does not exist', [{ status: 404 }], 'ERROR'],
      [
        'that is redirected to a metadata service',
        [{ status: 302, headers: { location: METADATA } }],
        'ERROR',
      ],
      ['whose reply repeats the URL', [{ headers: { 'content-encoding': PATH } }], 'ERROR'],
    ])(
      'is written: a fetch %s',
      async (_, behaviours, status) => {
        source.next = [...behaviours];
        const { id } = await created(ada, { source_url: source.url(PATH) });
        const detail = await settled(ada, id, { withinMs: WITHIN_MS });
        expect(detail.status).toBe(status);
        expect(SECRETS.filter((secret) => JSON.stringify(detail).includes(secret))).toEqual([]);
      },
      TEST_MS,
    );

    it('is written: a URL that is refused', async () => {
      const { status } = await ada.post('/recordings', { title: 'Film', source_url: METADATA });
      expect(status).toBe(400);
    });

    it(
      'is written: a server that cannot be reached',
      async () => {
        const url = source.url(PATH);
        await source.stop();
        const { id } = await created(ada, { source_url: url });
        const isRetry = ({ msg, recordingId }: Record<string, unknown>): boolean =>
          msg === 'fetching: interrupted; retrying' && recordingId === id;
        await until('the first attempt', () => fetches().some(isRetry), WITHIN_MS);
      },
      TEST_MS,
    );

    it('has neither its path nor its query', async () => {
      await service.stop();
      expect(fetches().length).toBeGreaterThan(1);
      expect(SECRETS.filter((secret) => service.written().includes(secret))).toEqual([]);
    });
  });
}
