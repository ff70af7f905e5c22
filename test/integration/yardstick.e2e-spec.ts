import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  folder,
  keyOf,
  member,
  organization,
  recording,
  STATUSES,
  summary,
  transcript,
  user,
} from '../factories/workspace.js';
import { startService, type TestService } from '../support/service.js';

const BENCH = fileURLToPath(new URL('../../bench/api', import.meta.url));
const MEDIA = fileURLToPath(new URL('../../demo/media/depot-walk-through.mp4', import.meta.url));
const PEOPLE = ['Ada', 'Grace', 'Linus', 'Edsger', 'Mary', 'Fred'] as const;

interface Side {
  readonly base: string;
  readonly stop: () => Promise<void>;
}
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}
interface Answer {
  readonly status: number;
  readonly body: Buffer;
}
interface Sides {
  readonly ADDRESSES: Record<string, string>;
  startYardstick(database: { url: string; folder: string }, media: string): Promise<Side>;
}
interface Comparing {
  compareAnswers(bench: object, name: string, asks: readonly Asked[]): Promise<object>;
}

/** The bench is JavaScript without types. */
const load = async <Module>(name: string): Promise<Module> => (await import(`${BENCH}/${name}.js`)) as Module;

const answer = async ({ base }: Pick<Side, 'base'>, { path, ...asked }: Asked): Promise<Answer> => {
  const response = await fetch(base + path, asked);
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
};

/**
 * The yardstick of `npm run bench -- api` returns what the service returns, for those who see, change, share and transcribe more
 * or less, so that a field added to a reply is missed here rather than by whoever runs the bench next.
 */
describe('the yardstick of the bench', () => {
  let service: TestService;
  let yardstick: Side;
  let comparing: Comparing;
  const open = folder('Open');
  const acme = organization('Acme', {
    folders: [open],
    members: [
      member('Ada', 'OWNER'),
      member('Grace', 'EDITOR'),
      member('Linus', 'VIEWER', { downloads: false, transcription: false }),
      member('Edsger', 'VIEWER', { summaries: false, questions: false, sharing: false }),
    ],
  });
  const ended = organization('Ended', {
    subscription: { status: 'expired', endsAt: null },
    members: [member('Mary', 'OWNER')],
  });
  const content = { media: 'film.mp4', transcript: transcript(45), summary };
  const shared = { organization: 'Acme', folder: 'Open' };
  const recordings = [
    ...STATUSES.map((status) => recording('Ada', { ...shared, status, title: status })),
    recording('Ada', { ...shared, ...content, notes: 'Bring a pen' }),
    recording('Ada', { ...shared, media: 'film.mp4' }),
    recording('Grace', { ...shared, ...content }),
    recording('Grace', { ...shared, transcript: transcript(45) }),
    recording('Grace', { organization: 'Acme', ...content }),
    recording('Grace', { ...shared, title: 'Minutes', transcript: transcript(45) }),
    recording('Mary', { organization: 'Ended', ...content }),
    recording('Mary', content),
    recording('Fred', content),
    recording('Fred', { ...content, notes: 'Long ago', createdAt: '2025-01-01T00:00:00Z' }),
  ];

  beforeAll(async () => {
    comparing = await load<Comparing>('comparison');
    const { ADDRESSES, startYardstick } = await load<Sides>('sides');
    service = await startService(ADDRESSES, { generated: true });
    const users = PEOPLE.map((name) => user(name, { plan: name === 'Fred' ? 'FREE' : 'PRO' }));
    const film = Buffer.from('not looked at');
    await service.import({ users, organizations: [acme, ended], recordings }, { 'film.mp4': film });
    await service.dataSource.query(`UPDATE recordings SET without_media = true WHERE title = 'Minutes'`);
    // As if they had been packaged, except for the last one.
    await service.dataSource.query(
      `UPDATE recordings SET duration = 18.35, package_key = 'recordings/' || id || '/0199/package'
       WHERE media_key IS NOT NULL AND id <> $1`,
      [recordings.at(-1)?.id],
    );
    yardstick = await startYardstick({ url: service.databaseUrl, folder: service.dataDir }, MEDIA);
  });
  afterAll(async () => {
    await yardstick?.stop();
    await service.stop();
  });

  /** What both reply to everyone: how many of the replies were no refusals, and how they differ. */
  async function compare(
    paths: readonly string[],
    method = 'GET',
  ): Promise<{ equal: number; differences: string[] }> {
    const sides = [{ base: service.api.base }, yardstick];
    const differences: string[] = [];
    const bench = { compare: true, sides, asker: { answer }, say: (line: string) => differences.push(line) };
    let equal = 0;
    for (const name of PEOPLE) {
      for (const path of paths) {
        const headers = { authorization: `Bearer ${keyOf(name)}` };
        const asked = { method, path: `/api/v1/recordings${path}`, headers };
        const [one, other] = await Promise.all(sides.map(async (side) => (await answer(side, asked)).status));
        if (one !== other) differences.push(`${name}: ${method} ${path}: ${other} instead of ${one}`);
        else if (one !== undefined && one < 300) {
          await comparing.compareAnswers(bench, name, [asked]);
          equal += 1;
        }
      }
    }
    return { equal, differences };
  }

  const each = (part: string): string[] => recordings.map(({ id }) => `/${id}${part}`);

  it('returns the same list to everyone', async () => {
    const paths = [
      '',
      '?status=COMPLETED',
      `?organization_id=${acme.id}`,
      '?search=sync',
      '?limit=2&offset=1',
    ];
    expect(await compare(paths)).toEqual({ equal: 28, differences: [] });
  });

  it('returns the same recordings to everyone who sees them', async () => {
    expect(await compare(each(''))).toEqual({ equal: 65, differences: [] });
  });

  it('returns the same transcripts to everyone who may read them', async () => {
    expect(await compare(each('/transcript?limit=2'))).toEqual({ equal: 49, differences: [] });
  });

  it('returns the same share links to everyone who may share', async () => {
    expect(await compare(each('/share-link'), 'POST')).toEqual({ equal: 49, differences: [] });
  });
});
