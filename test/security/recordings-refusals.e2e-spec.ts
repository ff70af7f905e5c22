import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, summary, transcript, user } from '../factories/workspace.js';
import { refusal, type Client } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const YOUNG = '2026-05-16T12:00:00.000Z';
const OLD = '2026-05-16T11:59:59.999Z';
const NO_FEATURES = {
  downloads: false,
  sharing: false,
  transcription: false,
  summaries: false,
  questions: false,
};
const ALL_FALSE_IN_LIST = {
  canDownload: false,
  canShare: false,
  canViewTranscription: false,
  canGenerateSummary: false,
  canAskQuestions: false,
};
const ALL_FALSE = {
  ...ALL_FALSE_IN_LIST,
  canStartTranscription: false,
  canRegenerateTranscription: false,
  canRenameSpeaker: false,
  canViewSummary: false,
};

/** One organization per case, with Ada as its OWNER and one recording with all content. */
function inOrganization(name: string, terms: object, features: object = {}, createdAt = YOUNG) {
  const content = { transcript: transcript(3), summary, media: 'video.mp4', createdAt };
  return {
    organization: organization(name, {
      ...terms,
      members: [member('Ada', 'OWNER', features), member('Eve', 'EDITOR')],
    }),
    recording: recording('Ada', { ...content, organization: name, title: name }),
  };
}

const CANCELED = { status: 'canceled' };
const PLACES = {
  expired: inOrganization(
    'expired',
    { plan: 'ENTERPRISE', subscription: CANCELED, features: NO_FEATURES },
    {},
    OLD,
  ),
  lockedAndOff: inOrganization('lockedAndOff', { plan: 'FREE', features: NO_FEATURES }, {}, OLD),
  lockedAndMemberOff: inOrganization('lockedAndMemberOff', { plan: 'FREE' }, NO_FEATURES, OLD),
  locked: inOrganization('locked', { plan: 'FREE' }, {}, OLD),
  lapsedPro: inOrganization('lapsedPro', { plan: 'PRO', subscription: CANCELED }, {}, OLD),
  off: inOrganization('off', { plan: 'ENTERPRISE', features: NO_FEATURES }),
  memberOff: inOrganization('memberOff', { plan: 'ENTERPRISE' }, NO_FEATURES),
  offOnFree: inOrganization('offOnFree', { plan: 'FREE', features: NO_FEATURES }),
  open: inOrganization('open', { plan: 'ENTERPRISE' }),
  free: inOrganization('free', { plan: 'FREE' }),
  downloadsOff: inOrganization('downloadsOff', { plan: 'PRO', features: { downloads: false } }),
  memberDownloadsOff: inOrganization('memberDownloadsOff', { plan: 'PRO' }, { downloads: false }),
  transcriptionOff: inOrganization('transcriptionOff', { plan: 'PRO' }, { transcription: false }),
  summariesOff: inOrganization('summariesOff', { plan: 'PRO', features: { summaries: false } }),
};
type Place = keyof typeof PLACES;

let service: TestService;
let ada: Client;
const at = (place: Place, rest = ''): string => `/recordings/${PLACES[place].recording.id}${rest}`;

beforeAll(async () => {
  service = await startService();
  await service.import(
    {
      users: [user('Ada'), user('Eve')],
      organizations: Object.values(PLACES).map((place) => place.organization),
      recordings: Object.values(PLACES).map((place) => place.recording),
    },
    { 'video.mp4': 'not looked into' },
  );
  service.setNow(NOW);
  ada = service.api.as(keyOf('Ada'));
});
afterAll(() => service.stop());

describe('order of errors: 404, 402, RECORDING_LOCKED, then the code of the feature', () => {
  const paid = '402 ORGANIZATION_SUBSCRIPTION_EXPIRED';
  const locked = '403 RECORDING_LOCKED';
  const untold = '403 TRANSCRIPT_NOT_AVAILABLE';
  const unshared = '403 SHARING_DISABLED';
  it.each([
    ['expired', paid, paid, paid, paid],
    ['lockedAndOff', '200', locked, locked, locked],
    ['lockedAndMemberOff', '200', locked, locked, locked],
    ['locked', '200', locked, locked, locked],
    ['lapsedPro', '200', locked, locked, locked],
    ['off', '200', untold, unshared, unshared],
    ['memberOff', '200', untold, unshared, unshared],
    // A missing plan feature takes precedence over a disabled feature flag.
    ['offOnFree', '200', untold, unshared, locked],
    ['free', '200', '200', '201', locked],
    ['downloadsOff', '200', '200', '201', '403 FORBIDDEN'],
    ['memberDownloadsOff', '200', '200', '201', '403 FORBIDDEN'],
    ['open', '200', '200', '201', '201'],
  ] as const)('%s: get %s, transcript %s, share-link %s, for download %s', async (place, ...expected) => {
    const replies = [
      await ada.get(at(place)),
      await ada.get(at(place, '/transcript')),
      await ada.post(at(place, '/share-link'), { permission: 'view' }),
      await ada.post(at(place, '/share-link'), { permission: 'download' }),
    ];
    const seen = replies.map(({ status, body }) =>
      body.error ? `${status} ${body.error.code}` : `${status}`,
    );
    expect(seen).toEqual(expected);
    for (const { body } of replies) if (body.error) expect(body).toEqual(refusal(body.error.code));
  });

  it.each(Object.keys(PLACES) as Place[])(
    '404 comes first for whoever does not see it: %s',
    async (place) => {
      const eve = service.api.as(keyOf('Eve'));
      for (const reply of [
        await eve.get(at(place)),
        await eve.get(at(place, '/transcript')),
        await eve.post(at(place, '/share-link'), { permission: 'download' }),
      ]) {
        expect(reply.status).toBe(404);
        expect(reply.body).toEqual(refusal('RECORDING_NOT_FOUND'));
      }
    },
  );

  it("a download link of a personal recording is refused by the owner's plan FREE and granted by PRO", async () => {
    const free = recording('Hedy', { createdAt: YOUNG });
    const pro = recording('Ida', { createdAt: YOUNG });
    await service.import({ users: [user('Hedy', { plan: 'FREE' }), user('Ida')], recordings: [free, pro] });
    const link = (name: string, recordingId: string, permission: string) =>
      service.api.as(keyOf(name)).post(`/recordings/${recordingId}/share-link`, { permission });
    expect((await link('Hedy', free.id, 'view')).status).toBe(201);
    expect((await link('Hedy', free.id, 'download')).body).toEqual(
      refusal(
        'RECORDING_LOCKED',
        'The FREE plan does not include downloads; this requires the PRO plan. An operator changes it with "npx mrs users update --email EMAIL --plan PRO".',
      ),
    );
    expect((await link('Ida', pro.id, 'download')).status).toBe(201);
  });
});

describe('what is refused because the plan does not include it', () => {
  const needs = 'this requires the PRO plan. An operator changes it with "npx mrs';
  it.each([
    ['locked', `; ${needs} orgs update ORG_ID --plan PRO".`],
    [
      'lapsedPro',
      `; it applies because the organization's subscription has ended. An operator renews it with "npx mrs orgs update ORG_ID --subscription active --subscription-ends-at never".`,
    ],
  ] as const)('says what has to be done: %s', async (place, remedy) => {
    const { body } = await ada.get(at(place, '/transcript'));
    const lock = 'The FREE plan includes 30 days of history, and this recording is older';
    expect(body).toEqual(refusal('RECORDING_LOCKED', `${lock}${remedy}`));
  });
});

describe('the list', () => {
  it.each(['expired', 'locked', 'lapsedPro'] as const)(
    'includes recordings that are %s, with every capability false',
    async (place) => {
      const { body } = await ada.get(`/recordings?organization_id=${PLACES[place].organization.id}`);
      expect(body.pagination.total).toBe(1);
      expect(body.data).toEqual([
        {
          id: PLACES[place].recording.id,
          status: 'COMPLETED',
          title: place,
          createdAt: '2026-05-16T11:59:59.999Z',
          thumbnailUrl: null,
          progress: 1,
          media: 'available',
          owner: { id: expect.any(String), name: 'Ada' },
          duration: null,
          organizationId: PLACES[place].organization.id,
          folderId: null,
          externalId: null,
          metadata: {},
          retentionEndsAt: null,
          retentionRule: null,
          capabilities: ALL_FALSE_IN_LIST,
          capabilityReasons: Object.fromEntries(
            Object.keys(ALL_FALSE_IN_LIST).map((name) => [
              name,
              place === 'expired' ? { reason: 'expired', plan: null } : { reason: 'locked', plan: 'PRO' },
            ]),
          ),
        },
      ]);
    },
  );
});

describe('the detail', () => {
  const videoUrl: unknown = expect.stringContaining('/video?disposition=inline');
  const downloadUrl: unknown = expect.stringContaining('/video?disposition=attachment');
  const transcription = {
    status: 'completed',
    language: 'en',
    speakers: ['Ada', 'Grace'],
    segmentsCount: 3,
    duration: 5.5,
  };
  const whole = {
    isLocked: false,
    videoUrl,
    downloadUrl,
    transcription,
    summary: { status: 'completed', ...summary },
  };
  const noDownload = { downloadUrl: null };
  const noTranscription = {
    transcription: { status: 'completed', segmentsCount: 0, duration: 0, speakerStatistics: null },
  };
  const noSummary = { summary: { status: 'completed', content: null, topics: [] } };
  const off = { ...whole, ...noDownload, ...noTranscription, ...noSummary, capabilities: ALL_FALSE };
  const locked = {
    ...off,
    isLocked: true,
    notes: null,
    videoUrl: null,
    hlsUrl: null,
    downloadUrlExpiresAt: null,
  };

  it.each([
    ['open', whole],
    ['locked', locked],
    ['lockedAndOff', locked],
    ['lapsedPro', locked],
    ['off', off],
    ['memberOff', off],
    ['free', { ...whole, ...noDownload }],
    ['downloadsOff', { ...whole, ...noDownload }],
    ['memberDownloadsOff', { ...whole, ...noDownload }],
    ['transcriptionOff', { ...whole, ...noTranscription }],
    ['summariesOff', { ...whole, ...noSummary }],
  ] as const)(
    'of a recording that is %s shows only what plan and feature flags allow',
    async (place, expected) => {
      const { status, body } = await ada.get(at(place));
      expect(status).toBe(200);
      expect(body.data).toMatchObject(expected);
      // Metadata remains readable even if content is withheld.
      const createdAt = String(PLACES[place].recording['createdAt']);
      expect(body.data).toMatchObject({ title: place, status: 'COMPLETED', createdAt, updatedAt: createdAt });
      const text = JSON.stringify(body.data);
      expect(text.includes('Grace')).toBe(expected.transcription.segmentsCount > 0);
      expect(text.includes('Ship')).toBe(expected.summary.content !== null);
    },
  );
});

describe('changing', () => {
  it.each([
    ['locked', 403, 'RECORDING_LOCKED'],
    ['lapsedPro', 403, 'RECORDING_LOCKED'],
    ['expired', 402, 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
  ] as const)(
    'the notes is rejected when it is %s, and nothing else changes either',
    async (place, status, code) => {
      const { id } = PLACES[place].recording;
      const row = () => service.dataSource.query('SELECT * FROM recordings WHERE id = $1', [id]);
      const before: unknown = await row();
      for (const body of [{ notes: 'n' }, { notes: '' }, { title: 'Renamed', notes: 'n' }]) {
        const reply = await ada.patch(at(place), body);
        expect(reply.status).toBe(status);
        expect(reply.body).toEqual(refusal(code));
      }
      expect(await row()).toEqual(before);
    },
  );

  it.each(['locked', 'lapsedPro', 'expired', 'off'] as const)('is allowed when it is %s', async (place) => {
    const changes = { title: 'Renamed', ...(place === 'off' ? { notes: 'n' } : {}) };
    expect((await ada.patch(at(place), changes)).body).toEqual({ data: { success: true } });
    expect((await ada.delete(at(place))).body).toEqual({ data: { success: true } });
    expect((await ada.get(at(place))).status).toBe(404);
  });
});
