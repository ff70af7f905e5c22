import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingDetail } from '../../factories/recording-detail.js';
import {
  STATUSES,
  folder,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../../support/service.js';

const NOW = new Date('2026-03-10T12:00:00Z');
const UNPLAYABLE = STATUSES.filter((status) => !['MIGRATING', 'COMPLETED'].includes(status));

const signed = (disposition: string): unknown =>
  expect.stringMatching(new RegExp(`^http://localhost:\\d+/media/.*disposition=${disposition}`));

describe('GET /recordings/:id', () => {
  let service: TestService;
  let ada: Client;
  const board = folder('Board');
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [board] });
  const content = { media: 'call.mp4', transcript: transcript(3), summary };
  const bare = recording('Ada', { title: 'Bare', createdAt: '2026-03-01T09:00:00Z' });
  const full = recording('Ada', {
    ...content,
    title: 'Full',
    notes: 'Call back.\n\n*Soon*',
    organization: 'Acme',
    folder: 'Board',
    createdAt: '2026-03-01T09:00:00.123Z',
    startedAt: '2026-03-01T09:01:00Z',
    endedAt: '2026-03-01T10:00:00Z',
  });
  const playable = ['COMPLETED', 'MIGRATING'].map((status) =>
    recording('Ada', { ...content, status, createdAt: NOW }),
  );
  const unplayable = UNPLAYABLE.map((status) => recording('Ada', { ...content, status, createdAt: NOW }));

  beforeAll(async () => {
    service = await startService(WITH_TRANSCRIBER);
    await service.import(
      {
        users: [user('Ada')],
        organizations: [acme],
        recordings: [bare, full, ...playable, ...unplayable],
      },
      { 'call.mp4': 'not really a video' },
    );
    ada = service.api.as(keyOf('Ada'));
    service.setNow(NOW);
  });
  afterAll(() => service.stop());

  const get = (of: { id: string }, api = ada): Promise<Reply> => api.get(`/recordings/${of.id}`);

  it('returns everything about a recording', async () => {
    const { status, body } = await get(full);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: full.id,
        status: 'COMPLETED',
        statusReason: null,
        duration: null,
        owner: { id: expect.any(String), name: 'Ada' },
        title: 'Full',
        notes: 'Call back.\n\n*Soon*',
        createdAt: '2026-03-01T09:00:00.123Z',
        updatedAt: '2026-03-01T09:00:00.123Z',
        revision: 1,
        startedAt: '2026-03-01T09:01:00.000Z',
        endedAt: '2026-03-01T10:00:00.000Z',
        progress: 1,
        media: 'available',
        videoUrl: signed('inline'),
        hlsUrl: null,
        captionsUrl: expect.stringMatching(/\/captions\.vtt\?key=/),
        downloadUrl: signed('attachment'),
        downloadUrlExpiresAt: '2026-03-10T13:00:00.000Z',
        thumbnailUrl: null,
        newMedia: null,
        organizationId: acme.id,
        folderId: board.id,
        externalId: null,
        metadata: {},
        retentionEndsAt: null,
        retentionRule: null,
        transcription: {
          status: 'completed',
          progress: 1,
          statusReason: null,
          language: 'en',
          speakers: ['Ada', 'Grace'],
          segmentsCount: 3,
          duration: 5.5,
          speakerStatistics: [
            {
              speaker: 'Ada',
              talkTime: 3,
              share: 0.6667,
              longestMonologue: 1.5,
              interruptions: 0,
              questions: 0,
            },
            {
              speaker: 'Grace',
              talkTime: 1.5,
              share: 0.3333,
              longestMonologue: 1.5,
              interruptions: 0,
              questions: 0,
            },
          ],
        },
        summary: {
          status: 'completed',
          statusReason: null,
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
        isLocked: false,
        capabilities: {
          canDownload: true,
          canShare: true,
          canViewTranscription: true,
          canStartTranscription: false,
          canRegenerateTranscription: true,
          canRenameSpeaker: true,
          canViewSummary: true,
          canGenerateSummary: true,
          canAskQuestions: true,
        },
        capabilityReasons: { canStartTranscription: { reason: 'not_ready', plan: null } },
      },
    });
  });

  it('returns null for what is not yet known, and omits no field', async () => {
    const { body: rich } = await get(full);
    const { body } = await get(bare);
    expect(Object.keys(body.data)).toEqual(Object.keys(rich.data));
    expect(body.data).toEqual(
      recordingDetail({
        id: bare.id,
        status: 'COMPLETED',
        title: 'Bare',
        createdAt: '2026-03-01T09:00:00.000Z',
        updatedAt: '2026-03-01T09:00:00.000Z',
        capabilities: { canDownload: true, canStartTranscription: true },
      }),
    );
  });

  it('treats MIGRATING exactly like COMPLETED', async () => {
    const [completed, migrating] = await Promise.all(playable.map(async (own) => (await get(own)).body.data));
    expect(migrating.videoUrl).toMatch(/^http/);
    expect(migrating.downloadUrl).toMatch(/^http/);
    expect(migrating.capabilities).toEqual(completed.capabilities);
    expect(
      Object.keys(migrating).filter((key) => (migrating[key] === null) !== (completed[key] === null)),
    ).toEqual([]);
  });

  it.each(unplayable)('returns no URLs before it is playable: $status', async (own) => {
    const { body } = await get(own);
    expect(body.data).toMatchObject({
      status: own['status'],
      videoUrl: null,
      hlsUrl: null,
      captionsUrl: null,
      downloadUrl: null,
      downloadUrlExpiresAt: null,
      isLocked: false,
    });
    expect(body.data.capabilities).toMatchObject({
      canDownload: false,
      canStartTranscription: false,
      canShare: true,
    });
  });

  it('returns new URLs each time, all with the same expiry', async () => {
    service.setNow(new Date('2026-03-10T12:00:30Z'));
    const { body } = await get(full);
    service.setNow(NOW);
    expect(body.data.downloadUrlExpiresAt).toBe('2026-03-10T13:00:30.000Z');
    const expires = [body.data.videoUrl, body.data.captionsUrl, body.data.downloadUrl].map((url) =>
      new URL(url).searchParams.get('expires'),
    );
    expect(new Set(expires).size).toBe(1);
  });
});
