import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecordingListService } from '../../../src/modules/recordings/list/recording-list.service.js';
import { presentPage } from '../../../src/modules/recordings/list/public/listed-recording.response.dto.js';
import { presentDetail } from '../../../src/modules/recordings/public/recording-detail.response.dto.js';
import { RecordingsService } from '../../../src/modules/recordings/recordings.service.js';
import { SearchService } from '../../../src/modules/search/search.service.js';
import type { Scope } from '../../../src/contract/scopes.js';
import { UNLIMITED } from '../../../src/policy/api-keys.js';
import type { Caller } from '../../../src/policy/caller.js';
import type { Capability } from '../../../src/policy/capabilities.js';
import { INSTALLATION } from '../../../src/policy/policy.service.js';
import type { Installation } from '../../../src/policy/recording-access.js';
import {
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { outcome, type Client, type Reply } from '../../support/client.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../../support/service.js';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const YOUNG = '2026-06-15T11:00:00.000Z';
const OLD = '2026-05-01T12:00:00.000Z';

const NO_FEATURES = {
  downloads: false,
  sharing: false,
  transcription: false,
  summaries: false,
  questions: false,
};
const ENDED = { status: 'expired' };

const whole = { media: 'call.mp4', transcript: transcript(3), summary, createdAt: YOUNG };

/** A place in which Ada has this role, and one recording of hers. */
function place(name: string, terms: object, content: object = whole, { role = 'OWNER', features = {} } = {}) {
  return {
    organization: organization(name, { members: [member('Ada', role, features)], ...terms }),
    recording: recording('Ada', { title: name, organization: name, ...content }),
  };
}

const PLACES = {
  open: place('open', {}),
  expired: place('expired', { subscription: ENDED }),
  locked: place('locked', { plan: 'FREE' }, { ...whole, createdAt: OLD }),
  free: place('free', { plan: 'FREE' }),
  organizationOff: place('organizationOff', { features: NO_FEATURES }),
  memberOff: place('memberOff', {}, whole, { features: NO_FEATURES }),
  bothOff: place('bothOff', { features: NO_FEATURES }, whole, { features: NO_FEATURES }),
  viewer: place('viewer', {}, whole, { role: 'VIEWER' }),
  recorded: place(
    'recorded',
    {},
    { ...whole, transcript: undefined, summary: undefined, status: 'RECORDING' },
  ),
  failed: place('failed', {}, { createdAt: YOUNG, status: 'ERROR' }),
  untranscribed: place('untranscribed', {}, { createdAt: YOUNG, media: 'call.mp4' }),
  viewerOfFailed: place('viewerOfFailed', {}, { createdAt: YOUNG, status: 'ERROR' }, { role: 'VIEWER' }),
} as const;
type Place = keyof typeof PLACES;

const OPERATIONS: Readonly<Partial<Record<Capability, (api: Client, path: string) => Promise<Reply>>>> = {
  canDownload: (api, path) => api.post(`${path}/share-link`, { permission: 'download' }),
  canShare: (api, path) => api.post(`${path}/share-link`, {}),
  canViewTranscription: (api, path) => api.get(`${path}/transcript`),
  canStartTranscription: (api, path) => api.post(`${path}/transcription`),
  canRegenerateTranscription: (api, path) => api.post(`${path}/transcription`),
  canRenameSpeaker: (api, path) => api.patch(`${path}/transcript/speakers`, { from: 'Ada', to: 'A.' }),
  canViewSummary: (api, path) => api.get(`${path}/summary`),
  canGenerateSummary: (api, path) => api.post(`${path}/summary`),
  canAskQuestions: (api, path) => api.post(`${path}/questions`, { question: 'Who spoke?' }),
};

const LISTED = ['canDownload', 'canShare', 'canViewTranscription', 'canGenerateSummary', 'canAskQuestions'];

const because = (reason: string, plan: string | null = null) => ({ reason, plan });
const PRO = (reason: string) => because(reason, 'PRO');

describe('capabilityReasons', () => {
  let service: TestService;
  let ada: Client;
  let installation: Installation;
  const at = (name: Place): string => `/recordings/${PLACES[name].recording.id}`;

  beforeAll(async () => {
    service = await startService(WITH_TRANSCRIBER);
    const places = Object.values(PLACES);
    await service.import(
      {
        users: [user('Ada'), user('Eve')],
        organizations: places.map((each) => each.organization),
        recordings: places.map((each) => each.recording),
      },
      { 'call.mp4': 'not really a video' },
    );
    service.setNow(NOW);
    ada = service.api.as(keyOf('Ada'));
    installation = service.app.get<Installation>(INSTALLATION);
  });
  afterAll(() => service.stop());

  /** The item of the list, which the detail has to agree with. */
  async function listed(name: Place) {
    const { body } = await ada.get(`/recordings?organization_id=${PLACES[name].organization.id}`);
    expect(body.data).toHaveLength(1);
    return body.data[0];
  }

  it.each([
    ['open', { canStartTranscription: because('not_ready') }],
    [
      'free',
      {
        canDownload: PRO('plan'),
        canAskQuestions: PRO('plan'),
        canStartTranscription: because('not_ready'),
      },
    ],
    [
      'viewer',
      {
        canStartTranscription: because('role'),
        canRegenerateTranscription: because('role'),
        canRenameSpeaker: because('role'),
        canGenerateSummary: because('role'),
      },
    ],
    [
      'recorded',
      {
        canDownload: because('not_ready'),
        canStartTranscription: because('not_ready'),
        canRegenerateTranscription: because('not_ready'),
        canRenameSpeaker: because('not_ready'),
        canGenerateSummary: because('not_ready'),
        canAskQuestions: because('not_ready'),
      },
    ],
    [
      'failed',
      {
        canDownload: because('no_media'),
        canStartTranscription: because('no_media'),
        canRegenerateTranscription: because('no_media'),
        canRenameSpeaker: because('not_ready'),
        canGenerateSummary: because('not_ready'),
        canAskQuestions: because('not_ready'),
      },
    ],
  ] as const)('of a recording that is %s, in detail and list', async (name, reasons) => {
    const { body } = await ada.get(at(name));
    expect(body.data.capabilityReasons).toEqual(reasons);
    const { capabilityReasons } = await listed(name);
    expect(capabilityReasons).toEqual(
      Object.fromEntries(Object.entries(reasons).filter(([capability]) => LISTED.includes(capability))),
    );
  });

  it.each([
    ['locked', PRO('locked')],
    ['organizationOff', because('organization_flag')],
    ['memberOff', because('member_flag')],
    ['bothOff', because('organization_flag')],
  ] as const)('of a recording that is %s are the same for all capabilities', async (name, reason) => {
    const { capabilities, capabilityReasons } = (await ada.get(at(name))).body.data;
    expect(Object.keys(capabilityReasons)).toEqual(Object.keys(capabilities));
    for (const each of Object.values(capabilityReasons)) expect(each).toEqual(reason);
    for (const each of Object.values((await listed(name)).capabilityReasons)) expect(each).toEqual(reason);
  });

  it('say in the list that the subscription has ended', async () => {
    const { capabilityReasons } = await listed('expired');
    expect(capabilityReasons).toEqual(Object.fromEntries(LISTED.map((name) => [name, because('expired')])));
  });

  it('are in search results', async () => {
    const query = `q=free&organization_id=${PLACES.free.organization.id}`;
    const { body } = await ada.get(`/recordings/search?${query}`);
    const reasons = { canDownload: PRO('plan'), canAskQuestions: PRO('plan') };
    expect(body.data).toMatchObject([{ title: 'free', capabilityReasons: reasons }]);
    expect(body.data[0].capabilityReasons).toEqual(reasons);
  });

  describe('agree with what the operation answers', () => {
    const refusals = {
      expired: [402, 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
      locked: [403, 'RECORDING_LOCKED'],
      plan: [403, 'RECORDING_LOCKED'],
      role: [403, 'FORBIDDEN'],
      not_configured: [409, 'CONFLICT'],
      no_media: [409, 'CONFLICT'],
      not_ready: [409, 'CONFLICT'],
    } as const;
    const flagOff: Readonly<Record<string, string>> = {
      canShare: 'SHARING_DISABLED',
      canViewTranscription: 'TRANSCRIPT_NOT_AVAILABLE',
      canStartTranscription: 'TRANSCRIPT_NOT_AVAILABLE',
      canRegenerateTranscription: 'TRANSCRIPT_NOT_AVAILABLE',
      canRenameSpeaker: 'TRANSCRIPT_NOT_AVAILABLE',
      canAskQuestions: 'TRANSCRIPT_NOT_AVAILABLE',
    };
    const whose = { organization_flag: 'for the organization', member_flag: 'for you as a member' } as const;

    /** Only one of the two is what the operation is for at a time. */
    const isOther = (capability: string, { status }: { status: string }): boolean =>
      (capability === 'canStartTranscription' && status === 'completed') ||
      (capability === 'canRegenerateTranscription' && status !== 'completed');

    async function compare(name: Place): Promise<number> {
      const found = await ada.get(at(name));
      const { capabilityReasons, transcription } =
        found.status === 200 ? found.body.data : { ...(await listed(name)), transcription: {} };
      let compared = 0;
      for (const [capability, { reason }] of Object.entries<{ reason: string }>(capabilityReasons)) {
        // A link that permits downloading is created before there is media.
        if (capability === 'canDownload' && (reason === 'no_media' || reason === 'not_ready')) continue;
        if (reason === 'not_ready' && isOther(capability, transcription)) continue;
        const reply = await OPERATIONS[capability as Capability]?.(ada, at(name));
        const code = flagOff[capability] ?? 'FORBIDDEN';
        const expected =
          reason in whose ? [403, sharesFirst(capability, reason) ?? code] : refusals[reason as 'plan'];
        expect([capability, reason, ...outcome(reply!)]).toEqual([capability, reason, ...expected]);
        if (reason in whose) expect(reply?.body.error.message).toContain(whose[reason as 'member_flag']);
        compared += 1;
      }
      return compared;
    }

    /** Downloads are tried by creating a share link, for which sharing is required as well. */
    const sharesFirst = (capability: string, reason: string): string | null =>
      capability === 'canDownload' && reason !== 'plan' ? 'SHARING_DISABLED' : null;

    it.each([
      ['expired', 5],
      ['locked', 9],
      ['free', 2],
      ['organizationOff', 9],
      ['memberOff', 9],
      ['bothOff', 9],
      ['viewer', 3],
      ['recorded', 4],
      ['failed', 4],
      ['viewerOfFailed', 4],
      ['untranscribed', 3],
    ] as const)('where it is %s', async (name, count) => {
      expect(await compare(name)).toBeGreaterThanOrEqual(count);
    });

    it('where the service cannot transcribe, which is said before what the recording lacks', async () => {
      const { noTranscriber } = installation;
      Object.assign(installation, { noTranscriber: 'no speech runtime' });
      try {
        for (const name of ['untranscribed', 'failed', 'recorded'] as const) {
          const { capabilityReasons } = (await ada.get(at(name))).body.data;
          expect(capabilityReasons).toMatchObject({
            canStartTranscription: because('not_configured'),
            canRegenerateTranscription: because('not_configured'),
          });
          const { status, body } = await ada.post(`${at(name)}/transcription`);
          expect(status).toBe(409);
          expect(body.error.message).toContain('no speech runtime');
        }
        const { capabilityReasons } = (await ada.get(at('viewerOfFailed'))).body.data;
        expect(capabilityReasons.canStartTranscription).toEqual(because('role'));
      } finally {
        Object.assign(installation, { noTranscriber });
      }
    });
  });

  describe('of an API key that is limited to scopes', () => {
    const caller = (scopes: readonly Scope[] | null): Caller => ({
      id: adaId,
      email: 'ada@acme.test',
      emailVerified: true,
      name: 'Ada',
      plan: 'PRO',
      operator: false,
      managesUsers: false,
      serviceOf: null,
      client: null,
      session: null,
      apiKey: { ...UNLIMITED, refusedBy: [], id: adaId, name: 'test', prefix: 'mrs_Ada', scopes },
    });
    let adaId: string;
    beforeAll(async () => {
      adaId = (await ada.get('/me')).body.data.id;
    });

    it('withhold in the detail what the scopes do not include', async () => {
      const get = async (scopes: readonly Scope[] | null) =>
        presentDetail(
          ...(await service.app.get(RecordingsService).get(caller(scopes), PLACES.open.recording.id)),
        );
      const all = await get(null);
      expect(all).toMatchObject({ transcription: { segmentsCount: 3 }, captionsUrl: expect.any(String) });
      const reading = await get(['recordings:read']);
      expect(reading).toMatchObject({
        downloadUrl: expect.any(String),
        captionsUrl: null,
        transcription: { status: 'completed', segmentsCount: 0, speakers: [] },
        summary: { content: summary.content },
      });
      expect(reading.capabilityReasons).toEqual({
        canShare: because('scope'),
        canViewTranscription: because('scope'),
        canStartTranscription: because('scope'),
        canRegenerateTranscription: because('scope'),
        canRenameSpeaker: because('scope'),
        canGenerateSummary: because('scope'),
        canAskQuestions: because('scope'),
      });
      const writing = await get(['transcripts:read', 'transcripts:write']);
      expect(writing).toMatchObject({
        downloadUrl: null,
        summary: { content: null },
        captionsUrl: expect.any(String),
      });
    });

    it('are in the list, and the search finds no transcript that the key may not read', async () => {
      const query = { limit: 20, offset: 0, organization_id: PLACES.open.organization.id };
      const lists = service.app.get(RecordingListService);
      const { data } = presentPage(await lists.list(caller(['recordings:read']), query));
      expect(data).toMatchObject([{ capabilities: { canDownload: true, canShare: false } }]);
      expect(Object.keys(data[0]?.capabilityReasons ?? {})).toEqual(LISTED.slice(1));
      const found = async (scopes: readonly Scope[]) => {
        const page = await service.app.get(SearchService).search(caller(scopes), { ...query, q: 'sentence' });
        return page.recordings.map(({ row }) => row.title);
      };
      expect(await found(['recordings:read'])).toEqual([]);
      expect(await found(['recordings:read', 'transcripts:read'])).toEqual(['open']);
    });
  });
});
