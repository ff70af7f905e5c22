import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { insertTrack } from '../../support/tracks.js';

const MASTER = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="avc1.640028,mp4a.40.2"
media.m3u8
`;
const ENDED = refusal('FORBIDDEN', 'This URL has expired or was altered. Request a new one.');
const HOSTILE = 'Eve"\n#EXT-X-ENDLIST\r,URI="http://evil.example/\u0001\u2028';

describe('playing tracks', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const [weekly, other] = ['Weekly', 'Other'].map((title) =>
    recording('Ada', { title, media: 'call.mp4', organization: 'Acme' }),
  );
  const meeting = weekly!.id;

  beforeAll(async () => {
    service = await startService();
    await service.import(
      {
        users: [user('Ada'), user('Eve')],
        organizations: [acme],
        recordings: [weekly!, other!],
      },
      { 'call.mp4': Buffer.from('film') },
    );
    ada = service.api.as(keyOf('Ada'));
    for (const { id: recordingId } of [weekly!, other!]) {
      const key = `recordings/${recordingId}/${id()}`;
      await put(`${key}/hls/master.m3u8`, MASTER);
      await sql('UPDATE recordings SET package_key = $2 WHERE id = $1', recordingId, key);
    }
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await sql('DELETE FROM tracks');
    await sql('DELETE FROM share_links');
  });

  const sql = (statement: string, ...values: unknown[]): Promise<unknown> =>
    service.dataSource.query(statement, values);

  async function put(key: string, content: string): Promise<void> {
    const path = join(service.dataDir, 'objects', key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** A processed track, with contents that say whose it is. */
  async function add(name: string, recordingId = meeting): Promise<string> {
    const { trackId, packageKey } = await insertTrack(service.dataSource, { recordingId, name });
    await put(`${packageKey}/hls/audio.m3u8`, `sound of ${name}`);
    await put(`${packageKey}/peaks.json`, '{"data":[0,1]}');
    await put(`${packageKey}-source`, `file of ${name}`);
    return trackId;
  }

  const list = async (api = ada): Promise<Record<string, string>[]> =>
    (await api.get(`/recordings/${meeting}/tracks`)).body.data;

  async function share(fields: object): Promise<{ id: string; open: () => Promise<Reply['body']> }> {
    const { body } = await ada.post(`/recordings/${meeting}/share-link`, fields);
    const { id: linkId, share_token: token } = body.data;
    return { id: linkId, open: async () => (await service.api.get(`/shares/${token}`)).body.data };
  }

  const load = (url: string, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    return fetch(service.api.base + pathname + search, init);
  };
  const textOf = async (url: string): Promise<string> => (await load(url)).text();
  const statuses = (urls: readonly string[]): Promise<number[]> =>
    Promise.all(urls.map(async (url) => (await load(url)).status));
  const urlsOf = ({ hls_url, peaks_url, download_url }: Record<string, string>): string[] => [
    hls_url!,
    peaks_url!,
    download_url!,
  ];
  async function expectEnded(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      const response = await load(url);
      expect([response.status, await response.json()]).toEqual([403, ENDED]);
    }
  }

  it('is by URLs that need no API key: sound, waveform and the file as it came', async () => {
    const trackId = await add('Ada');
    const [track] = await list();
    expect(track).toMatchObject({ id: trackId, name: 'Ada', status: 'COMPLETED', picture_hls_url: null });
    expect(Date.parse(track!['urls_expire_at']!)).toBeGreaterThan(Date.now());
    const [sound, peaks, file] = await Promise.all(urlsOf(track!).map((url) => load(url)));
    expect([sound!.headers.get('content-type'), await sound!.text()]).toEqual([
      'application/vnd.apple.mpegurl',
      'sound of Ada',
    ]);
    expect([peaks!.headers.get('content-type'), await peaks!.json()]).toEqual([
      'application/json; charset=utf-8',
      { data: [0, 1] },
    ]);
    expect([file!.headers.get('content-disposition'), await file!.text()]).toEqual([
      'attachment; filename="Weekly - Ada.wav"',
      'file of Ada',
    ]);
  });

  it('has no URLs until it is processed', async () => {
    const { body } = await ada.post(`/recordings/${meeting}/tracks`, { name: 'Grace' });
    expect(body.data).toMatchObject({
      hls_url: null,
      picture_hls_url: null,
      peaks_url: null,
      download_url: null,
      urls_expire_at: null,
    });
  });

  it('is a choice in the playlist of the recording, whatever the names', async () => {
    const hlsUrl = async (): Promise<string> => (await ada.get(`/recordings/${meeting}`)).body.data.hlsUrl;
    const before = await load(await hlsUrl());
    expect(await before.text()).toBe(MASTER);
    const ids = [
      await add('Ada'),
      await add('Ada'),
      await add(HOSTILE),
      await add('Everyone'),
      await add('"'),
    ];
    const after = await load(await hlsUrl());
    const lines = (await after.text()).split('\n');
    const uris = lines.flatMap((line) => /,URI="([^"]*)"$/.exec(line)?.[1] ?? []);
    expect(lines.map((line) => line.replace(/,URI="[^"]*"$/, ''))).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="voices",NAME="Everyone",DEFAULT=YES,AUTOSELECT=YES',
      ...['Ada', 'Ada (2)', `Eve' #EXT-X-ENDLIST ,URI='http://evil.example/`, 'Everyone (2)', `'`].map(
        (name) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="voices",NAME="${name}",DEFAULT=NO,AUTOSELECT=NO`,
      ),
      '#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="avc1.640028,mp4a.40.2",AUDIO="voices"',
      'media.m3u8',
      '',
    ]);
    expect(uris.map((uri) => uri.split('/')[2])).toEqual(ids);
    expect(await textOf(new URL(uris[1]!, await hlsUrl()).href)).toBe('sound of Ada');
    const etag = after.headers.get('etag');
    expect(etag).not.toBe(before.headers.get('etag'));
    await sql(`UPDATE tracks SET name = 'Lovelace' WHERE id = $1`, ids[0]);
    expect((await load(await hlsUrl())).headers.get('etag')).not.toBe(etag);
  });

  it('of a recording without sound, is not a choice in its playlist', async () => {
    await add('Ada');
    const { hlsUrl } = (await ada.get(`/recordings/${other!.id}`)).body.data;
    await add('Grace', other!.id);
    const key = (
      await service.dataSource.query('SELECT package_key FROM recordings WHERE id = $1', [other!.id])
    )[0];
    const silent = MASTER.replace(',mp4a.40.2', '');
    await put(`${key.package_key}/hls/master.m3u8`, silent);
    expect(await textOf(hlsUrl)).toBe(silent);
  });

  it('is for recipients of a link that permits it, and for no others', async () => {
    await add('Ada');
    const plain = await (await share({ permission: 'download' })).open();
    expect(plain['tracks']).toBeNull();
    expect(await textOf(plain['recording'].hlsUrl)).toBe(MASTER);

    const viewing = await share({ tracks: true });
    const { tracks, recording: shown } = await viewing.open();
    expect(tracks).toEqual([expect.objectContaining({ name: 'Ada', download_url: null })]);
    expect(Object.keys(tracks[0])).not.toContain('user_id');
    expect(await textOf(tracks[0].hls_url)).toBe('sound of Ada');
    expect(await textOf(shown.hlsUrl)).toContain('NAME="Ada"');

    const { tracks: files } = await (await share({ permission: 'download', tracks: true })).open();
    expect(await textOf(files[0].download_url)).toBe('file of Ada');
    const links = (await ada.get(`/recordings/${meeting}/share-links`)).body.data;
    expect(links.map((one: { permission: string; tracks: boolean }) => [one.permission, one.tracks])).toEqual(
      [
        ['download', true],
        ['view', true],
        ['download', false],
      ],
    );
  });

  it.each([
    ['the link is revoked', (path: string) => ada.delete(path)],
    ['the link permits tracks no longer', (path: string) => ada.patch(path, { tracks: false })],
  ])('ends for recipients as soon as %s', async (_, end) => {
    await add('Ada');
    const link = await share({ permission: 'download', tracks: true });
    const { tracks } = await link.open();
    expect(await statuses(urlsOf(tracks[0]))).toEqual([200, 200, 200]);
    await end(`/recordings/${meeting}/share-links/${link.id}`);
    await expectEnded(urlsOf(tracks[0]));
  });

  it('ends when downloads are no longer permitted, for the file alone', async () => {
    await add('Ada');
    const { tracks } = await (await share({ permission: 'download', tracks: true })).open();
    await sql(`UPDATE share_links SET permission = 'view'`);
    expect(await statuses(urlsOf(tracks[0]))).toEqual([200, 200, 403]);
  });

  it.each([
    [
      'the recording is locked',
      `UPDATE organizations SET plan = 'FREE'; UPDATE recordings SET created_at = now() - interval '1 year'`,
      `UPDATE organizations SET plan = 'ENTERPRISE'; UPDATE recordings SET created_at = now()`,
    ],
    [
      'the subscription ends',
      `UPDATE organizations SET subscription_status = 'expired'`,
      `UPDATE organizations SET subscription_status = 'active'`,
    ],
    [
      'the recording is in the bin',
      `UPDATE recordings SET deleted_at = now(), deleted_owner_id = owner_id, deleted_organization_id = organization_id,
         purge_at = now() + interval '1 day', owner_id = NULL, organization_id = NULL`,
      `UPDATE recordings SET owner_id = deleted_owner_id, organization_id = deleted_organization_id, deleted_at = NULL,
         deleted_owner_id = NULL, deleted_organization_id = NULL, purge_at = NULL`,
    ],
    ['the key is revoked', 'UPDATE api_keys SET revoked_at = now()', 'UPDATE api_keys SET revoked_at = NULL'],
  ])('ends as soon as %s', async (_, end, undo) => {
    await add('Ada');
    const urls = urlsOf((await list())[0]!);
    expect(await statuses(urls)).toEqual([200, 200, 200]);
    await sql(end);
    await expectEnded(urls);
    await sql(undo);
    expect(await statuses(urls)).toEqual([200, 200, 200]);
  });

  it('ends with the track, and with each time that it is processed', async () => {
    const [gone, again] = [await add('Ada'), await add('Grace')];
    const [adas, graces] = (await list()).map(urlsOf);
    await sql('DELETE FROM tracks WHERE id = $1', gone);
    await sql(
      'UPDATE tracks SET package_key = $2 WHERE id = $1',
      again,
      `recordings/${meeting}/tracks/${again}/${id()}`,
    );
    expect(await statuses(adas!)).toEqual([404, 404, 404]);
    expect(await statuses(graces!)).toEqual([404, 404, 200]);
  });

  it('takes no other recording, track or file than that of the URL', async () => {
    const elsewhere = await add('Secret', other!.id);
    const trackId = await add('Ada');
    const [track] = await list();
    const { hls_url: url, download_url: file } = track as { hls_url: string; download_url: string };
    const [, attempt] = new RegExp(`${trackId}/([^/]+)/`).exec(url)!;
    const [row] = (await service.dataSource.query('SELECT package_key FROM tracks WHERE id = $1', [
      elsewhere,
    ])) as {
      package_key: string;
    }[];
    const secret = row!.package_key.split('/').slice(2).join('/');
    expect(
      await statuses([
        url.replace(meeting, other!.id),
        url.replace(/tracks\/.*/, `${secret}/hls/audio.m3u8`),
        url.replace('hls/audio.m3u8', `../../${secret.slice('tracks/'.length)}/hls/audio.m3u8`),
        url.replace('hls/audio.m3u8', `..%2f..%2f${secret.slice('tracks/'.length)}%2fhls%2faudio.m3u8`),
        url.replace(`/${attempt}/hls/audio.m3u8`, `/${attempt}`),
        file.replace(trackId, elsewhere),
        file.replace('track=', 'x='),
      ]),
    ).toEqual([403, 404, 404, 404, 404, 403, 403]);
    expect((await service.api.as(keyOf('Eve')).get(`/recordings/${meeting}/tracks`)).status).toBe(404);
  });
});
