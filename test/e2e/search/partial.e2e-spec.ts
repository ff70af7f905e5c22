import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { member, organization, recording, user } from '../../factories/workspace.js';
import { saying, searchAs } from '../../support/found.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
const meeting = (owner: string, title: string, text: string, more = {}) =>
  recording(owner, { title, transcript: saying('en', ['Grace', text]), ...more });

beforeAll(async () => {
  service = await startService();
  await service.import({
    users: [user('Ada'), user('Bob')],
    organizations: [organization('Zoo', { members: [member('Ada', 'OWNER'), member('Bob', 'VIEWER')] })],
    recordings: [
      meeting('Ada', 'Fork', 'The mainnet fork moves the blob schedule.'),
      meeting('Ada', 'Wallets', 'Wallets need the mainnet.'),
      meeting('Ada', 'Secret', 'The glamsterdam headliner is pangolin.', { organization: 'Zoo' }),
      meeting('Bob', 'Open', 'Amsterdam headlines, mainnet, mangolin.', { organization: 'Zoo' }),
    ],
  });
});
afterAll(() => service.stop());

const search = async (name: string, q: string) => {
  const { data, did_you_mean: instead, pagination } = await searchAs(service, name, q);
  return { found: data.map(({ title, matched }) => `${title} ${matched}`), instead, total: pagination.total };
};

describe('a query that no recording matches in full', () => {
  it('finds the recordings with at least half of its words, marked, most of them first', async () => {
    expect(await search('Ada', 'mainnet fork xylophone')).toEqual({
      found: ['Fork partial'],
      instead: null,
      total: 1,
    });
    expect((await search('Ada', 'wallets xylophone')).found).toEqual(['Wallets partial']);
    expect((await search('Ada', 'blob wallets xylophone quagmire')).found).toEqual([]);
  });

  it('does so only then', async () => {
    expect((await search('Ada', 'mainnet fork')).found).toEqual(['Fork full']);
    expect((await search('Ada', 'mainnet OR xylophone')).found.sort()).toEqual([
      'Fork full',
      'Open full',
      'Wallets full',
    ]);
  });

  it('takes quotation marks and exclusions at their word', async () => {
    expect((await search('Ada', '"fork mainnet"')).found).toEqual([]);
    expect((await search('Ada', 'fork xylophone -blob')).found).toEqual([]);
  });
});

describe('a misspelled word', () => {
  it.each([
    ['shedule', 'schedule', ['Fork full']],
    ['WALETS mainet', 'wallets mainnet', ['Wallets full']],
    // In one word what was said in two.
    ['mainnetfork', 'mainnet fork', ['Fork full']],
  ])('%s is searched for as %s', async (q, instead, found) => {
    expect(await search('Ada', q)).toEqual({ found, instead, total: 1 });
  });

  it('is not replaced if it occurs somewhere, nor in quotation marks, nor where nothing is similar', async () => {
    expect(await search('Ada', 'headlines')).toMatchObject({ instead: null });
    expect(await search('Ada', '"shedule"')).toEqual({ found: [], instead: null, total: 0 });
  });

  it('is replaced only by words that the caller can read', async () => {
    expect(await search('Ada', 'pangolim')).toEqual({
      found: ['Secret full'],
      instead: 'pangolin',
      total: 1,
    });
    expect(await search('Bob', 'pangolim')).toEqual({ found: ['Open full'], instead: 'mangolin', total: 1 });
    expect(await search('Bob', 'glamsterdm')).toEqual({ found: [], instead: null, total: 0 });
  });
});
