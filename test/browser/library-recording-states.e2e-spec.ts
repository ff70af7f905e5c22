import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ContentService } from '../../src/modules/pipeline/content.service.js';
import { TranscriptsService } from '../../src/modules/transcripts/transcripts.service.js';
import { keyOf, member, organization, recording, transcript, user } from '../factories/workspace.js';
import { pagesOfTests, until } from '../support/browser.js';
import { DESK, expectUsable, openLibrary, PHONE_AT_NIGHT } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { created, demoVideo, RawTus } from '../support/uploads.js';

const GERMAN_PHONE = { ...PHONE_AT_NIGHT, locale: 'de-DE' };

CHROMIUM.describe('what the library says of a recording that is not complete', () => {
  const open = pagesOfTests();
  const [ada, bob] = [user('Ada'), user('Bob', { plan: 'FREE' })];
  const expired = organization('Former', {
    members: [member('Ada', 'OWNER')],
    subscription: { status: 'expired', endsAt: '2020-01-01T00:00:00Z' },
  });
  const old = {
    createdAt: '2020-01-01T00:00:00Z',
    media: 'call.mp4',
    notes: 'Old',
    transcript: transcript(3),
  };
  const recordings = {
    early: recording('Ada', { status: 'PROCESSING', progress: 0.42 }),
    failed: recording('Ada', { status: 'ERROR' }),
    locked: recording('Bob', old),
    lapsed: recording('Ada', { organization: 'Former' }),
    untranscribed: recording('Ada', { media: 'call.mp4' }),
  };
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    const workspace = { users: [ada, bob], organizations: [expired], recordings: Object.values(recordings) };
    await service.import(workspace, { 'call.mp4': 'not really a video' });
  });
  afterAll(() => service?.stop());

  it.each([
    ['is being processed', 'early', ada, 'Processing', 'Wird verarbeitet'],
    ['has failed', 'failed', ada, 'This recording failed', 'Diese Aufnahme ist fehlgeschlagen'],
    ['is locked', 'locked', bob, 'Locked', 'Gesperrt'],
    [
      'belongs to an expired subscription',
      'lapsed',
      ada,
      'The subscription of the organization has expired.',
      'Das Abonnement der Organisation ist abgelaufen.',
    ],
    [
      'has no transcript',
      'untranscribed',
      ada,
      'There is no transcript yet.',
      'Es gibt noch kein Transkript.',
    ],
  ] as const)('that it %s, on a desk and on a phone in German', async (_, name, viewer, english, german) => {
    for (const [options, text] of [
      [DESK, english],
      [GERMAN_PHONE, german],
    ] as const) {
      const path = `/recordings/${recordings[name].id}`;
      const { page } = await openLibrary(service, open, viewer.id, path, options);
      await page.locator('main').getByText(text).first().waitFor();
      await expectUsable(page);
    }
  });

  it('shows the words of a meeting in progress, and then what is made of it, in the same page', async () => {
    const api = service.api.as(keyOf('Ada'));
    const { id } = await created(api);
    await new RawTus(api, id).patch(0, demoVideo().subarray(0, 20_000));
    const job = { recordingId: id, attempt: randomUUID() };
    const content = service.app.get(ContentService);
    await service.dataSource.transaction((manager) => content.beginLive(manager, job));
    const hear = (count: number) => {
      const segments = Array.from({ length: count }, (_, start) => {
        return { start, end: start + 1, text: `Sentence ${start}`, speaker: '', confidence: 1 };
      });
      return service.app.get(TranscriptsService).saveDraft(job, { progress: 0, segments, state: null }, []);
    };
    await hear(50);
    const { page, complaints } = await openLibrary(service, open, ada.id, `/recordings/${id}`);
    await until(page, `document.querySelectorAll('#rows li').length === 50`);
    await page.evaluate('globalThis.isSamePage = true');
    await hear(53);
    await until(page, `document.querySelectorAll('#rows li').length === 53`);
    await page.getByText('Live', { exact: true }).waitFor();
    await expectUsable(page);
    await api.request('PUT', `/recordings/${id}/transcript`, {
      body: transcript(3),
      headers: { 'content-type': 'application/json' },
    });
    await page.getByRole('searchbox', { name: 'Search transcript' }).waitFor();
    await until(page, `document.querySelectorAll('#rows li').length === 3`);
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    expect(complaints).toEqual([]);
  });
});
