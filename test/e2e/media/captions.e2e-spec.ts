import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, transcript, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { readHls, type Detail } from '../../support/packaged.js';
import { SharedMedia, STORES } from '../../support/shared-media.js';

const ENDED = refusal('FORBIDDEN', 'This URL has expired or was altered. Request a new one.');
const HEADER = 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\nLanguage: en\n';
const CUES = `
00:00:00.000 --> 00:00:01.500
<v Ada>Sentence 0</v>

00:00:02.000 --> 00:00:03.500
<v Grace>Sentence 1</v>

00:00:04.000 --> 00:00:05.500
<v Ada>Sentence 2</v>
`;
const RENDITION = (name: string, language: string) =>
  `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="${name}",${language}DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,` +
  'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog",URI="captions.m3u8"';
const playlist = (seconds: number): string => `#EXTM3U
#EXT-X-VERSION:3
#EXT-X-TARGETDURATION:19
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXTINF:${+seconds.toFixed(3)},
captions.vtt
#EXT-X-ENDLIST
`;

const ask = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  // Node's fetch requests a fresh copy by default.
  fetch(url, { method, headers: { 'cache-control': 'max-age=3600', ...headers } });
const textAt = async (url: string): Promise<string> => (await ask(url)).text();
const beside = (hlsUrl: string, name: string): string => new URL(name, hlsUrl).href;

describe.each(STORES)('captions for players, %s', (_, describeStore, inS3) => {
  describeStore('of a packaged recording', () => {
    let media: SharedMedia;
    let token: string;
    let plain: string;

    beforeAll(async () => {
      media = await SharedMedia.start(inS3, { users: [user('Grace')], members: [member('Grace', 'ADMIN')] });
      plain = await textAt((await detail()).hlsUrl);
      const { data } = (await media.ada.post(`/recordings/${media.filmId}/share-link`, {})).body;
      token = data.share_token;
    });
    afterAll(() => media.stop());
    beforeEach(() => send(3));

    async function detail(name = 'Ada'): Promise<Detail> {
      return (await media.service.api.as(keyOf(name)).get(`/recordings/${media.filmId}`)).body.data;
    }
    const shared = async (): Promise<Detail> =>
      (await media.service.api.get(`/shares/${token}`)).body.data.recording;

    async function send(segments: number, language: string | null = 'en'): Promise<void> {
      const path = `/recordings/${media.filmId}/transcript`;
      const { status } = await media.ada.request('PUT', path, { body: transcript(segments, { language }) });
      expect(status).toBe(200);
    }

    const everyUrl = ({ captionsUrl, hlsUrl }: Detail): string[] => [
      captionsUrl,
      beside(hlsUrl, 'captions.m3u8'),
      beside(hlsUrl, 'captions.vtt'),
    ];

    it.each([
      ['with an API key', () => detail()],
      ['with a share link', () => shared()],
    ])('are in a file and in HLS, %s', async (_name, find) => {
      const { captionsUrl, hlsUrl, duration } = await find();
      const file = await ask(captionsUrl);
      expect([file.status, await file.text()]).toEqual([200, HEADER + CUES]);
      expect(Object.fromEntries(file.headers)).toMatchObject({
        'content-type': 'text/vtt; charset=utf-8',
        'content-disposition': 'inline; filename="Weekly sync.vtt"',
        'cache-control': 'private, no-cache',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      });
      const master = plain
        .replace('#EXT-X-STREAM-INF', `${RENDITION('English', 'LANGUAGE="en",')}\n#EXT-X-STREAM-INF`)
        .replace(/(#EXT-X-STREAM-INF:.*)/, '$1,SUBTITLES="captions"');
      const files = await readHls(hlsUrl);
      expect(files.map(({ name, status }) => [name, status])).toEqual([
        ['master.m3u8', 200],
        ['captions.m3u8', 200],
        ['media.m3u8', 200],
        ['captions.vtt', 200],
        [expect.stringMatching(/\.mp4$/), 200],
      ]);
      const contents = new Map(files.map(({ name, content }) => [name, content.toString()]));
      expect(contents.get('master.m3u8')).toBe(master);
      expect(contents.get('captions.m3u8')).toBe(playlist(duration));
      expect(contents.get('captions.vtt')).toBe(HEADER + CUES);
      const types = files.slice(0, 2).map(({ headers }) => headers.get('content-type'));
      expect(types).toEqual(['application/vnd.apple.mpegurl', 'application/vnd.apple.mpegurl']);
    });

    it('are named in their own language, or only as captions', async () => {
      const { hlsUrl } = await detail();
      await send(3, 'de');
      expect(await textAt(hlsUrl)).toContain(RENDITION('Deutsch', 'LANGUAGE="de",'));
      await send(3, 'pt-BR');
      expect(await textAt(hlsUrl)).toContain(RENDITION('português (Brasil)', 'LANGUAGE="pt-BR",'));
      await media.sql('UPDATE transcripts SET language = NULL');
      expect(await textAt(hlsUrl)).toContain(RENDITION('Captions', ''));
      expect(await textAt((await detail()).captionsUrl)).toBe(HEADER.replace('Language: en\n', '') + CUES);
    });

    it('are the same until the transcript changes, and new right after', async () => {
      const { captionsUrl, hlsUrl } = await detail();
      const urls = [hlsUrl, ...everyUrl({ captionsUrl, hlsUrl })];
      const tags: string[] = [];
      for (const url of urls) {
        const head = await ask(url, {}, 'HEAD');
        expect([head.status, await head.text()]).toEqual([200, '']);
        const etag = head.headers.get('etag') ?? '';
        const known = await ask(url, { 'if-none-match': etag });
        expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
        tags.push(etag);
      }
      const path = `/recordings/${media.filmId}/transcript/segments/1`;
      expect((await media.ada.patch(path, { text: 'Corrected' })).status).toBe(200);
      for (const url of [captionsUrl, beside(hlsUrl, 'captions.vtt')]) {
        const changed = await ask(url, { 'if-none-match': tags[1]! });
        expect(changed.status).toBe(200);
        expect(changed.headers.get('etag')).not.toBe(tags[1]);
        expect(await changed.text()).toBe(HEADER + CUES.replace('Sentence 1', 'Corrected'));
      }
    });

    it.each([
      ['there is no transcript', 'DELETE FROM transcripts'],
      ['it is being made again', `UPDATE transcripts SET status = 'processing'`],
      ['nobody speaks', 'UPDATE transcripts SET segments_count = 0'],
    ])('are absent while %s', async (_name, before) => {
      const known = [await detail(), await shared()];
      await media.sql(before);
      for (const { captionsUrl, hlsUrl } of [await detail(), await shared()]) {
        expect(captionsUrl).toBeNull();
        expect(await textAt(hlsUrl)).toBe(plain);
      }
      for (const url of known.flatMap(everyUrl)) {
        const response = await ask(url);
        expect([response.status, await response.json()]).toEqual([404, refusal('NOT_FOUND')]);
        expect(response.headers.get('cache-control')).toBeNull();
      }
    });

    it.each([
      ['for the organization', 'organizations', 'TRUE', [403, 403, 403]],
      [
        'for the member',
        'organization_members',
        'user_id = (SELECT owner_id FROM recordings)',
        [403, 200, 403],
      ],
    ])('are refused as soon as transcription is turned off %s', async (_name, table, where, statuses) => {
      const known = [await detail(), await detail('Grace'), await shared()];
      await media.sql(`UPDATE ${table} SET feature_transcription = false WHERE ${where}`);
      try {
        for (const [index, urls] of known.map(everyUrl).entries()) {
          for (const url of urls) {
            const response = await ask(url);
            expect([index, response.status]).toEqual([index, statuses[index]]);
            if (response.status === 403) expect(await response.json()).toEqual(ENDED);
          }
        }
        for (const { captionsUrl, hlsUrl, videoUrl } of [await detail(), await shared()]) {
          expect([captionsUrl, await textAt(hlsUrl)]).toEqual([null, plain]);
          expect((await ask(videoUrl, {}, 'HEAD')).status).toBe(200);
        }
        for (const { hlsUrl } of [known[0], known[2]]) expect(await textAt(hlsUrl)).toBe(plain);
      } finally {
        await media.sql(`UPDATE ${table} SET feature_transcription = true`);
      }
    });

    it.each([
      [
        'the recording is locked',
        `UPDATE recordings SET created_at = '2020-01-01'`,
        `UPDATE organizations SET plan = 'FREE'`,
      ],
      ['it cannot be played', `UPDATE recordings SET status = 'PROCESSING'`, 'SELECT'],
    ])('are refused when %s', async (_name, first, second) => {
      const { captionsUrl } = await detail();
      const [was] = await media.service.dataSource.query<[{ created_at: Date }]>(
        'SELECT created_at FROM recordings',
      );
      await media.sql(first);
      await media.sql(second);
      try {
        expect((await detail()).captionsUrl).toBeNull();
        const response = await ask(captionsUrl);
        expect([response.status, await response.json()]).toEqual([403, ENDED]);
      } finally {
        await media.sql(`UPDATE recordings SET created_at = $1, status = 'COMPLETED'`, was.created_at);
        await media.sql(`UPDATE organizations SET plan = 'ENTERPRISE'`);
      }
    });

    it('are refused with an altered URL, and expire with the video', async () => {
      const { captionsUrl, hlsUrl, downloadUrlExpiresAt } = await detail();
      const altered = [
        `${captionsUrl}x`,
        captionsUrl.replace('captions.vtt', 'video'),
        captionsUrl.replace('key=', 'key=0'),
        beside(hlsUrl.replace('/key_', '/key_0'), 'captions.vtt'),
      ];
      for (const url of altered) expect([url, (await ask(url)).status]).toEqual([url, 403]);
      expect(new URL(captionsUrl).searchParams.get('expires')).toBe(
        String(Date.parse(downloadUrlExpiresAt) / 1000),
      );
    });
  });
});
