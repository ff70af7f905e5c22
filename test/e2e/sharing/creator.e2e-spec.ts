import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { SharedRecording, type Link } from '../../support/share-links.js';

const SEES_ALL = { viewAllRecordings: true };
const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries'] as const;

/** What a recipient can access: status by endpoint, visibility by content; `null` without a URL. */
interface Access {
  readonly page: number;
  readonly json: number;
  readonly transcript: boolean;
  readonly summary: boolean;
  readonly captions: number;
  readonly file: number;
  readonly video: number;
  readonly download: number | null;
}
const EVERYTHING: Access = {
  page: 200,
  json: 200,
  transcript: true,
  summary: true,
  captions: 200,
  file: 200,
  video: 200,
  download: 200,
};
const NOTHING = { page: 404, json: 404, transcript: false, summary: false, captions: 404, file: 404 };

describe('the creator of a share link', () => {
  let service: TestService;
  const content = { media: 'call.mp4', transcript: transcript(2), summary };
  const subject = recording('Ada', { ...content, organization: 'Acme' });
  const personal = recording('Grace', content);
  let path: SharedRecording;

  beforeAll(async () => {
    service = await startService();
    const members = [
      member('Ada', 'OWNER'),
      member('Adam', 'ADMIN'),
      member('Vera', 'VIEWER', SEES_ALL),
      member('Linus', 'VIEWER', SEES_ALL),
    ];
    await service.import(
      {
        users: [user('Ada'), user('Adam'), user('Vera'), user('Linus', { plan: 'FREE' }), user('Grace')],
        organizations: [
          organization('Acme', { members }),
          organization('Other', { members: [member('Grace', 'OWNER')] }),
        ],
        recordings: [subject, personal],
      },
      { 'call.mp4': 'film' },
    );
    path = new SharedRecording(service, subject.id);
  });
  afterAll(() => service.stop());
  beforeEach(() => service.dataSource.query('TRUNCATE share_links'));
  afterEach(() =>
    service.dataSource.query(
      `UPDATE organization_members SET ${FEATURES.map((name) => `feature_${name} = true`).join(', ')}`,
    ),
  );

  async function set(name: string, feature: string, on: boolean): Promise<void> {
    await service.dataSource.query(
      `UPDATE organization_members SET feature_${feature} = $1 WHERE user_id = (SELECT id FROM users WHERE email = $2)`,
      [on, emailOf(name)],
    );
  }

  /** Media URLs as a recipient received them while everything was allowed. */
  async function mediaUrls({ share_token: token }: Link): Promise<{ video: string; download: string }> {
    const { videoUrl, downloadUrl } = (await service.api.get(`/shares/${token}`)).body.data.recording;
    return { video: videoUrl, download: downloadUrl };
  }

  const status = async (url: string): Promise<number> => (await fetch(url)).status;

  async function accessOf(
    { share_token: token }: Link,
    media: { video: string; download: string },
  ): Promise<Access> {
    const page = await service.api.get(`//s/${token}`);
    const json = await service.api.get(`/shares/${token}`);
    const texts = [JSON.stringify(page.body), JSON.stringify(json.body)];
    const includes = (text: string): boolean => {
      const [onPage, inJson] = texts.map((whole) => whole.includes(text));
      expect(onPage).toBe(inJson);
      return inJson === true;
    };
    return {
      page: page.status,
      json: json.status,
      transcript: includes('Sentence 0'),
      summary: includes('Ship it'),
      captions: (await service.api.get(`//s/${token}/captions.vtt`)).status,
      file: (await service.api.get(`//s/${token}/transcript?format=txt`)).status,
      video: await status(media.video),
      download: await status(media.download),
    };
  }

  it.each([
    ['transcription', 'Vera', { ...EVERYTHING, transcript: false, captions: 404, file: 404 }],
    ['summaries', 'Vera', { ...EVERYTHING, summary: false }],
    ['downloads', 'Vera', { ...EVERYTHING, file: 404, download: 403 }],
    ['sharing', 'Vera', { ...NOTHING, video: 403, download: 403 }],
    ['sharing, as an ADMIN', 'Adam', { ...NOTHING, video: 403, download: 403 }],
  ])('grants recipients only what they currently may use: without %s', async (what, name, expected) => {
    const [feature = ''] = what.split(',');
    const link = await path.link({ permission: 'download' }, name);
    const media = await mediaUrls(link);
    expect(await accessOf(link, media)).toEqual(EVERYTHING);
    await set(name, feature, false);
    expect(await accessOf(link, media)).toEqual(expected);
    await set(name, feature, true);
    expect(await accessOf(link, media)).toEqual(EVERYTHING);
  });

  it('is the only member whose feature flags matter', async () => {
    const link = await path.link({ permission: 'download' }, 'Vera');
    const media = await mediaUrls(link);
    for (const feature of FEATURES) for (const name of ['Ada', 'Linus']) await set(name, feature, false);
    expect(await accessOf(link, media)).toEqual(EVERYTHING);
  });

  it("grants recipients what the organization's plan includes, whatever the creator's own plan", async () => {
    const link = await path.link({ permission: 'download' }, 'Linus');
    expect(await accessOf(link, await mediaUrls(link))).toEqual(EVERYTHING);
  });

  it("has no feature flags for a personal recording, whatever the owner's memberships", async () => {
    for (const feature of FEATURES) await set('Grace', feature, false);
    const own = await service.api
      .as(keyOf('Grace'))
      .post(`/recordings/${personal.id}/share-link`, { permission: 'download' });
    const link = own.body.data as Link;
    expect(await accessOf(link, await mediaUrls(link))).toEqual(EVERYTHING);
  });

  it('may lose access to the recording: the link still opens', async () => {
    const link = await path.link({}, 'Vera');
    await service.dataSource.query(
      `UPDATE organization_members SET view_all_recordings = false WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [emailOf('Vera')],
    );
    const seen = await service.api.as(keyOf('Vera')).get(`/recordings/${subject.id}`);
    const opened = await path.opens(link);
    await service.dataSource.query('UPDATE organization_members SET view_all_recordings = true');
    expect([seen.status, opened]).toEqual([404, 200]);
  });

  it.each([
    ['view', 'sharing'],
    ['download', 'sharing'],
    ['download', 'downloads'],
  ])(
    'may no longer share: requesting the plain %s link after losing %s creates a new one that opens',
    async (permission, feature) => {
      const first = await path.link({ permission }, 'Vera');
      await set('Vera', feature, false);
      const links = await Promise.all([1, 2, 3].map(() => path.link({ permission }, 'Linus')));
      expect(new Set(links.map(({ id }) => id)).size).toBe(1);
      const [next] = links;
      expect(next?.id).not.toBe(first.id);
      expect(await path.opens(next!)).toBe(200);
      // The first link is unchanged, but is not returned again.
      await set('Vera', feature, true);
      expect(await path.opens(first)).toBe(200);
      expect((await path.link({ permission }, 'Vera')).id).toBe(next?.id);
      expect((await path.list()).map(({ id }) => id).sort()).toEqual([first.id, next?.id].sort());
    },
  );

  describe('after a takeover', () => {
    it('is the new owner: their flags apply from then on, and the URL stays', async () => {
      const link = await path.link({ permission: 'download', label: 'Customer' }, 'Vera');
      const media = await mediaUrls(link);
      await set('Vera', 'transcription', false);
      await set('Adam', 'summaries', false);
      const { status: ok, body } = await path.patch(link.id, { take_over: true }, 'Adam');
      expect([ok, body.data.share_token, body.data.label]).toEqual([200, link.share_token, 'Customer']);
      expect(body.data.created_by).toBe((await service.api.as(keyOf('Adam')).get('/me')).body.data.id);
      expect(await accessOf(link, media)).toEqual({ ...EVERYTHING, summary: false });
      expect(await path.list('Vera')).toEqual([]);
    });

    it('was rejected for users who can only view the recording or have sharing disabled', async () => {
      const link = await path.link({}, 'Vera');
      const refused = await path.patch(link.id, { take_over: true }, 'Linus');
      expect([refused.status, refused.body]).toEqual([403, refusal('FORBIDDEN')]);
      await set('Adam', 'sharing', false);
      const disabled = await path.patch(link.id, { take_over: true }, 'Adam');
      expect([disabled.status, disabled.body]).toEqual([403, refusal('SHARING_DISABLED')]);
    });
  });
});
