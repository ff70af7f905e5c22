import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

describe('GET /s/:token', () => {
  let service: TestService;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });
  const content = { media: 'call.mp4', transcript: transcript(2), summary, notes: 'not for recipients' };
  const personal = recording('Ada', { ...content, title: 'Personal', createdAt: '2026-03-01T09:00:00Z' });
  const shared = recording('Ada', { ...content, organization: 'Acme' });
  const frees = recording('Linus', { ...content, createdAt: '2026-03-01T09:00:00Z' });
  const early = recording('Ada', { status: 'RECORDING' });

  beforeAll(async () => {
    service = await startService();
    await service.import(
      {
        users: [user('Ada'), user('Grace'), user('Linus', { plan: 'FREE' })],
        organizations: [acme],
        recordings: [personal, shared, frees, early],
      },
      { 'call.mp4': 'not really a video' },
    );
  });
  afterAll(() => service.stop());

  async function link(of: { id: string }, permission = 'view', name = 'Ada'): Promise<string> {
    const reply = await service.api.as(keyOf(name)).post(`/recordings/${of.id}/share-link`, { permission });
    return reply.body.data.share_token;
  }

  const open = (token: string): Promise<Reply> =>
    service.api.get(`//s/${token}`, { headers: { accept: 'application/json' } });

  const sql = (statement: string, id: unknown): Promise<unknown> => service.dataSource.query(statement, [id]);

  it('shows video, transcript and summary to whoever has the token, without an API key', async () => {
    const { status, body } = await open(await link(personal));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      title: 'Personal',
      createdAt: '2026-03-01T09:00:00.000Z',
      permission: 'view',
      videoUrl: expect.stringMatching(/^http.*disposition=inline/),
      hlsUrl: null,
      thumbnailUrl: null,
      summary: { content: summary.content, topics: summary.topics },
      transcript: { language: 'en', speakers: ['Ada', 'Grace'] },
    });
    expect(body.data.transcript.segments.map((segment: { text: string }) => segment.text)).toEqual([
      'Sentence 0',
      'Sentence 1',
    ]);
  });

  it('gives no download address with permission view', async () => {
    const { body } = await open(await link(personal, 'view'));
    expect(body.data.downloadUrl).toBeNull();
    expect(JSON.stringify(body)).not.toContain('attachment');
  });

  it('gives addresses that play, and with permission download one that downloads', async () => {
    const { body } = await open(await link(personal, 'download'));
    for (const address of [body.data.videoUrl, body.data.downloadUrl]) {
      const { pathname, search } = new URL(address);
      expect((await service.api.get(`/${pathname}${search}`)).body).toBe('not really a video');
    }
  });

  it('tells recipients nothing of notes, owner and organization', async () => {
    const { body } = await open(await link(shared));
    const text = JSON.stringify(body);
    for (const secret of ['not for recipients', 'acme.test', acme.id]) expect(text).not.toContain(secret);
  });

  it('opens before the video is playable, without addresses', async () => {
    const { status, body } = await open(await link(early));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ videoUrl: null, downloadUrl: null, summary: null });
  });

  it.each([
    ['unknown', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['a quote', `'--`],
    ['with a NUL character', 'a%00b'],
    ['very long', 'x'.repeat(5_000)],
  ])('answers 404 for a token that is %s', async (_, token) => {
    const { status, body } = await open(token);
    expect(status).toBe(404);
    expect(body).toEqual(refusal('NOT_FOUND'));
  });

  it('answers 404 for a token in another case or cut off', async () => {
    const token = await link(personal);
    const swapped = token.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const wrong of [swapped, token.slice(0, -1), `${token}A`])
      expect((await open(wrong)).status).toBe(404);
  });

  it('outlives the membership and the key of who made the link', async () => {
    const all = `UPDATE organization_members SET view_all_recordings = true WHERE organization_id = $1`;
    await sql(all, acme.id);
    const token = await link(shared, 'view', 'Grace');
    await sql(`DELETE FROM users WHERE email = 'grace@acme.test' AND $1::uuid IS NOT NULL`, acme.id);
    expect((await open(token)).status).toBe(200);
  });

  it('is closed while sharing is switched off for the organization, and open again after', async () => {
    const token = await link(shared);
    await sql('UPDATE organizations SET feature_sharing = false WHERE id = $1', acme.id);
    expect((await open(token)).status).toBe(404);
    await sql('UPDATE organizations SET feature_sharing = true WHERE id = $1', acme.id);
    expect((await open(token)).status).toBe(200);
  });

  it('is closed once the Enterprise subscription has ended', async () => {
    const token = await link(shared);
    await sql(`UPDATE organizations SET subscription_status = 'canceled' WHERE id = $1`, acme.id);
    expect((await open(token)).status).toBe(404);
    await sql(`UPDATE organizations SET subscription_status = 'active' WHERE id = $1`, acme.id);
  });

  it('is closed once the recording is older than the history of the FREE plan', async () => {
    service.setNow(new Date('2026-03-20T00:00:00Z'));
    const token = await link(frees, 'view', 'Linus');
    expect((await open(token)).status).toBe(200);
    service.setNow(new Date('2026-04-20T00:00:00Z'));
    const { status, body } = await open(token);
    service.setNow(null);
    expect(status).toBe(404);
    expect(JSON.stringify(body)).not.toContain('media');
  });

  it('gives no download any more once the plan or a switch has taken it away', async () => {
    const token = await link(shared, 'download');
    expect((await open(token)).body.data.downloadUrl).toMatch(/^http/);
    await sql('UPDATE organizations SET feature_downloads = false WHERE id = $1', acme.id);
    const { status, body } = await open(token);
    await sql('UPDATE organizations SET feature_downloads = true WHERE id = $1', acme.id);
    expect(status).toBe(200);
    expect(body.data.downloadUrl).toBeNull();
  });

  it.each([
    ['transcription', 'transcript'],
    ['summaries', 'summary'],
  ])('withholds what is switched off: %s', async (feature, field) => {
    const token = await link(shared);
    await sql(`UPDATE organizations SET feature_${feature} = false WHERE id = $1`, acme.id);
    const { status, body } = await open(token);
    await sql(`UPDATE organizations SET feature_${feature} = true WHERE id = $1`, acme.id);
    expect(status).toBe(200);
    expect(body.data[field]).toBeNull();
  });
});
