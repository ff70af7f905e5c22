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

const ENDED = refusal(
  'NOT_FOUND',
  'This share link does not exist or no longer works: it may have expired or been revoked.',
);

describe('GET /shares/:token', () => {
  let service: TestService;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const content = { media: 'call.mp4', transcript: transcript(2), summary, notes: 'not for recipients' };
  const personal = recording('Ada', { ...content, title: 'Personal', createdAt: '2026-03-01T09:00:00Z' });
  const shared = recording('Ada', { ...content, organization: 'Acme' });
  const frees = recording('Linus', { ...content, createdAt: '2026-03-01T09:00:00Z' });
  const long = recording('Ada', { transcript: transcript(50) });
  const gone = recording('Ada');
  const early = recording('Ada', { status: 'RECORDING' });

  beforeAll(async () => {
    service = await startService();
    await service.import(
      {
        users: [user('Ada'), user('Linus', { plan: 'FREE' })],
        organizations: [acme],
        recordings: [personal, shared, frees, long, gone, early],
      },
      { 'call.mp4': 'not really a video' },
    );
  });
  afterAll(() => service.stop());

  async function link(of: { id: string }, permission = 'view', name = 'Ada'): Promise<string> {
    const reply = await service.api.as(keyOf(name)).post(`/recordings/${of.id}/share-link`, { permission });
    return reply.body.data.share_token;
  }

  const open = (token: string, query = ''): Promise<Reply> => service.api.get(`/shares/${token}${query}`);

  const sql = (statement: string, id: unknown): Promise<unknown> => service.dataSource.query(statement, [id]);

  it('returns video, transcript and summary to anyone with the token, without an API key', async () => {
    const { status, headers, body } = await open(await link(personal));
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.data).toEqual({
      permission: 'view',
      expires_at: null,
      recording: {
        id: personal.id,
        status: 'COMPLETED',
        progress: 1,
        media: 'available',
        title: 'Personal',
        createdAt: '2026-03-01T09:00:00.000Z',
        startedAt: null,
        endedAt: null,
        duration: null,
        videoUrl: expect.stringMatching(/^http.*disposition=inline&file=source&share=/),
        hlsUrl: null,
        captionsUrl: expect.stringMatching(/captions\.vtt\?share=/),
        thumbnailUrl: null,
        downloadUrl: null,
        downloadUrlExpiresAt: expect.stringMatching(/Z$/),
      },
      transcript: {
        status: 'completed',
        revision: 1,
        language: 'en',
        speakers: ['Ada', 'Grace'],
        duration: 3.5,
        segments: [
          { id: 0, start: 0, end: 1.5, text: 'Sentence 0', speaker: 'Ada', confidence: 0.9 },
          { id: 1, start: 2, end: 3.5, text: 'Sentence 1', speaker: 'Grace', confidence: 0.9 },
        ],
        pagination: { total_chunks: 1, has_more: false },
        speakerStatistics: ['Ada', 'Grace'].map((speaker) => ({
          speaker,
          talkTime: 1.5,
          share: 0.5,
          longestMonologue: 1.5,
          interruptions: 0,
          questions: 0,
        })),
      },
      tracks: null,
      summary: {
        status: 'completed',
        content: summary.content,
        topics: [
          {
            title: 'Launch',
            start: null,
            keyPoints: [{ point: 'Ship on Friday', start: null, details: ['All tests are green'] }],
          },
        ],
        decisions: [],
        actionItems: [],
      },
      capabilities: { canDownload: false, canViewTranscription: true, canViewSummary: true },
      capabilityReasons: { canDownload: { reason: 'scope', plan: null } },
    });
  });

  it('tells recipients only that the link does not permit it, or that there is no media', async () => {
    const reasons = async (token: string): Promise<unknown> =>
      (await open(token)).body.data.capabilityReasons;
    const notPermitted = { reason: 'scope', plan: null };
    await sql('UPDATE recordings SET created_at = now() WHERE id = $1', shared.id);
    const ofOrganization = await link(shared, 'download');
    expect(await reasons(ofOrganization)).toEqual({});
    await sql('UPDATE organizations SET plan = $1', 'FREE');
    expect(await reasons(ofOrganization)).toEqual({ canDownload: notPermitted });
    await sql('UPDATE organizations SET plan = $1', 'ENTERPRISE');
    for (const table of ['organizations', 'organization_members']) {
      const set = (on: boolean) =>
        sql(
          `UPDATE ${table} SET feature_downloads = $1, feature_summaries = $1, feature_transcription = $1`,
          on,
        );
      await set(false);
      expect(await reasons(ofOrganization)).toEqual({
        canDownload: notPermitted,
        canViewTranscription: notPermitted,
        canViewSummary: notPermitted,
      });
      await set(true);
    }
    expect(await reasons(await link(early, 'download'))).toEqual({
      canDownload: { reason: 'not_ready', plan: null },
    });
  });

  it('returns the transcript in pages of chunks', async () => {
    const token = await link(long);
    const { body } = await open(token, '?start_chunk=1&limit=1');
    expect(body.data.transcript.pagination).toEqual({ total_chunks: 3, has_more: true });
    expect(body.data.transcript.segments).toHaveLength(20);
    expect(body.data.transcript.segments[0]).toMatchObject({ id: 20, text: 'Sentence 20' });
    expect((await open(token, '?start_chunk=9')).body.data.transcript.segments).toEqual([]);
  });

  it.each(['limit=101', 'start_chunk=-1'])('rejects the query %s', async (query) => {
    const { status, body } = await open(await link(personal), `?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(query.split('=')[0]!)));
  });

  it('returns a playback URL, and a download URL with permission download', async () => {
    const { body } = await open(await link(personal, 'download'));
    for (const url of [body.data.recording.videoUrl, body.data.recording.downloadUrl]) {
      const { pathname, search } = new URL(url);
      expect((await service.api.get(`/${pathname}${search}`)).body).toBe('not really a video');
    }
  });

  it('reveals nothing about notes, owner or organization', async () => {
    const { body } = await open(await link(shared));
    const text = JSON.stringify(body);
    for (const secret of ['not for recipients', 'acme.test', acme.id]) expect(text).not.toContain(secret);
  });

  it('opens before the video is playable, without URLs', async () => {
    const { status, body } = await open(await link(early));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      recording: { status: 'RECORDING', videoUrl: null, downloadUrl: null, downloadUrlExpiresAt: null },
      transcript: { status: 'not_started', segments: [] },
      summary: { status: 'not_started', content: null, topics: [] },
    });
  });

  it.each(['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'a%00b'])('returns 404 for the token %s', async (token) => {
    const { status, body } = await open(token);
    expect(status).toBe(404);
    expect(body).toEqual(ENDED);
  });

  it('stops working the moment the link expires', async () => {
    const token = await link(personal);
    await sql(
      `UPDATE share_links SET expires_at = '2026-04-01T12:00:00Z' WHERE token_hash = sha256($1)`,
      token,
    );
    service.setNow(new Date('2026-04-01T11:59:59.999Z'));
    const before = await open(token);
    service.setNow(new Date('2026-04-01T12:00:00.000Z'));
    const after = await open(token);
    service.setNow(null);
    await sql(`UPDATE share_links SET expires_at = NULL WHERE token_hash = sha256($1)`, token);
    expect(before.body.data.expires_at).toBe('2026-04-01T12:00:00.000Z');
    expect(after.status).toBe(404);
    expect(after.body).toEqual(ENDED);
  });

  it('stops working when the recording is deleted', async () => {
    const token = await link(gone);
    expect((await open(token)).status).toBe(200);
    await service.api.as(keyOf('Ada')).delete(`/recordings/${gone.id}`);
    expect((await open(token)).status).toBe(404);
  });

  it('is unavailable while sharing is disabled for the organization, and works again afterwards', async () => {
    const token = await link(shared);
    await sql('UPDATE organizations SET feature_sharing = false WHERE id = $1', acme.id);
    expect((await open(token)).status).toBe(404);
    await sql('UPDATE organizations SET feature_sharing = true WHERE id = $1', acme.id);
    expect((await open(token)).status).toBe(200);
  });

  it('is unavailable once the Enterprise subscription has expired', async () => {
    const token = await link(shared);
    await sql(`UPDATE organizations SET subscription_status = 'canceled' WHERE id = $1`, acme.id);
    expect((await open(token)).status).toBe(404);
    await sql(`UPDATE organizations SET subscription_status = 'active' WHERE id = $1`, acme.id);
  });

  it('is unavailable once the recording is older than the history of the FREE plan', async () => {
    service.setNow(new Date('2026-03-20T00:00:00Z'));
    const token = await link(frees, 'view', 'Linus');
    expect((await open(token)).status).toBe(200);
    service.setNow(new Date('2026-04-20T00:00:00Z'));
    const { status, body } = await open(token);
    service.setNow(null);
    expect(status).toBe(404);
    expect(JSON.stringify(body)).not.toContain('media');
  });

  it('no longer offers the download once the plan or a feature flag excludes it', async () => {
    const token = await link(shared, 'download');
    expect((await open(token)).body.data.recording.downloadUrl).toMatch(/^http/);
    await sql('UPDATE organizations SET feature_downloads = false WHERE id = $1', acme.id);
    const { status, body } = await open(token);
    await sql('UPDATE organizations SET feature_downloads = true WHERE id = $1', acme.id);
    expect(status).toBe(200);
    expect(body.data.recording.downloadUrl).toBeNull();
  });

  it.each([
    ['transcription', 'transcript'],
    ['summaries', 'summary'],
  ])('withholds content whose feature is disabled: %s', async (feature, field) => {
    const token = await link(shared);
    await sql(`UPDATE organizations SET feature_${feature} = false WHERE id = $1`, acme.id);
    const { status, body } = await open(token);
    await sql(`UPDATE organizations SET feature_${feature} = true WHERE id = $1`, acme.id);
    expect(status).toBe(200);
    expect(body.data[field]).toBeNull();
  });
});
