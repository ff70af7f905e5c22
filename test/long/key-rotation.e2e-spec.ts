import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateSecrets, type Rotation } from '../../src/entrypoints/cli/rotate-secrets.js';
import { parseSettings } from '../../src/platform/config/settings.js';
import { keyOf, recording } from '../factories/workspace.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { SharedRecording, SharingWorkspace, type Link } from '../support/share-links.js';

const PUBLIC_URL = 'https://meetings.example.com';
/** More than the second after which processes read a changed file. */
const SETTLE_MS = 1_500;

describe('keys rotate-secrets, with generated keys and two processes', () => {
  let a: TestService;
  let b: TestService;
  let ours: { a: SharedRecording; b: SharedRecording };
  let plain: Link;
  let film: string;
  let locked: Link;
  let access: string;

  beforeAll(async () => {
    a = await startService({ PUBLIC_URL });
    b = await startService({ PUBLIC_URL }, { beside: a });
    const workspace = new SharingWorkspace(a);
    await workspace.load();
    const subject = recording('Ada', {
      organization: 'Acme',
      media: 'call.mp4',
      status: 'COMPLETED',
    });
    await a.import({ recordings: [subject] }, { 'call.mp4': 'not really a video' });
    film = subject.id;
    ours = { a: new SharedRecording(a, film), b: new SharedRecording(b, film) };
    plain = await ours.a.link();
  });
  afterAll(async () => {
    await b.stop();
    await a.stop();
  });

  const rotate = (discardPrevious = false): Promise<Rotation> =>
    rotateSecrets(parseSettings({ DATA_DIR: a.dataDir }), a.dataSource, {
      discardPrevious,
      settleMs: SETTLE_MS,
    });
  /** A media URL signed by one process. */
  async function signedBy(service: TestService): Promise<string> {
    const { videoUrl } = (await service.api.as(keyOf('Ada')).get(`/recordings/${film}`)).body.data;
    return String(videoUrl).slice(String(videoUrl).indexOf('/media/'));
  }
  const statuses = (path: string): Promise<number[]> =>
    Promise.all([a, b].map(async ({ api }) => (await fetch(api.base + path)).status));
  const followed = (cursor: string): Promise<number[]> =>
    Promise.all(
      [a, b].map(async ({ api }) => (await api.as(keyOf('Ada')).get(`/events?cursor=${cursor}`)).status),
    );
  const cursorOf = async ({ api }: TestService): Promise<string> =>
    (await api.as(keyOf('Ada')).get('/events')).body.pagination.next_cursor;
  const file = (name: string): string => readFileSync(`${a.dataDir}/${name}`, 'utf8');
  const keyIds = (): Promise<{ id: string }[]> => a.dataSource.query('SELECT id FROM sealing_keys');
  const tokens = async (through: SharedRecording): Promise<string[]> =>
    (await through.list()).map(({ share_token: token }) => token);

  /** The status of a link with a password, for a recipient who has entered it, in both processes. */
  const unlocked = ({ share_token: token }: Link, accessToken: string): Promise<number[]> =>
    Promise.all(
      [a, b].map(async ({ api }) => {
        const headers = { 'x-share-access': accessToken };
        return (await api.get(`/shares/${token}`, { headers })).status;
      }),
    );

  it('replaces both keys: everything from before works in both processes, and so does everything new', async () => {
    const before = {
      url: await signedBy(a),
      cursor: await cursorOf(a),
      files: [file('url-signing-key'), file('sealing-key')],
      ids: await keyIds(),
    };
    await ours.b.link({ label: 'Customer' });
    locked = await ours.a.link({ password: 'open sesame' });
    const entered = await a.api.post(`/shares/${locked.share_token}/access`, { password: 'open sesame' });
    access = entered.body.data.access_token;
    const known = await tokens(ours.a);
    const { resealed, previousUntil } = await rotate();
    expect(resealed).toBe(3);
    expect(previousUntil!.getTime() - Date.now()).toBeGreaterThan(86_400_000 - 10_000);
    expect([file('url-signing-key'), file('sealing-key')].map((text) => text.split(/\s/)[0])).not.toEqual(
      before.files,
    );
    const ids = await keyIds();
    expect([ids.length, ids[0]?.id === before.ids[0]?.id]).toEqual([1, false]);

    expect(await statuses(before.url)).toEqual([200, 200]);
    for (const cursor of [before.cursor, await cursorOf(a), await cursorOf(b)])
      expect(await followed(cursor)).toEqual([200, 200]);
    expect(await unlocked(locked, access)).toEqual([200, 200]);
    for (const service of [a, b]) expect(await statuses(await signedBy(service))).toEqual([200, 200]);
    expect([await ours.a.link(), await ours.b.link()]).toEqual([plain, plain]);
    const made = [
      (await ours.a.link({ label: 'of a' })).share_token,
      (await ours.b.link({ label: 'of b' })).share_token,
    ];
    for (const one of [ours.a, ours.b]) expect(await tokens(one)).toEqual([...made.toReversed(), ...known]);
    expect(await keyIds()).toEqual(ids);
  });

  it('completes an interrupted rotation with the same keys, and processes start in between', async () => {
    const known = await tokens(ours.a);
    await a.dataSource.query(
      `CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'interrupted'; END $$`,
    );
    await a.dataSource.query(
      'CREATE TRIGGER interrupt BEFORE UPDATE OF token_sealed ON share_links EXECUTE FUNCTION interrupt()',
    );
    await expect(rotate()).rejects.toThrow('interrupted');
    await a.dataSource.query('DROP FUNCTION interrupt CASCADE');
    const files = [file('url-signing-key'), file('sealing-key')];
    const c = await startService({}, { beside: a });
    expect(await tokens(new SharedRecording(c, film))).toEqual(known);
    await c.stop();

    expect(await rotate()).toMatchObject({ resealed: known.length });
    expect([file('url-signing-key'), file('sealing-key')]).toEqual(files);
    expect(await tokens(ours.b)).toEqual(known);
    expect(await keyIds()).toHaveLength(1);
  });

  it('refuses to run twice at the same time', async () => {
    const both = await Promise.allSettled([rotate(), rotate()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ message: /in progress/ });
  });

  it('--discard-previous ends URLs signed before at once, and no link', async () => {
    const [url, known] = [await signedBy(a), await tokens(ours.a)];
    expect((await rotate(true)).previousUntil).toBeNull();
    await eventually(async () => expect(await statuses(url)).toEqual([403, 403]));
    expect(await unlocked(locked, access)).toEqual([403, 403]);
    expect(await statuses(await signedBy(b))).toEqual([200, 200]);
    expect(await tokens(ours.b)).toEqual(known);
    expect([file('url-signing-key'), file('sealing-key')].map((text) => text.split('\n').length)).toEqual([
      1, 1,
    ]);
  });
});
