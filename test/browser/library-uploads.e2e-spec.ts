import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import { pagesOfTests, until } from '../support/browser.js';
import { done, SESSION } from '../support/client.js';
import { DESK, expectUsable, openLibrary, PHONE_AT_NIGHT } from '../support/library.js';
import { sha256 } from '../support/objects.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { sessionOf } from '../support/sessions.js';
import { demoVideo, fakeVideo, MIB, storedSha256 } from '../support/uploads.js';

const [ada, grace] = [user('Ada'), user('Grace')];
const [linus, mary] = [user('Linus', { plan: 'FREE' }), user('Mary', { plan: 'FREE' })];
/** Has only what was recorded last. */
const alan = user('Alan');
const acme = organization('Acme', {
  members: [member('Ada', 'EDITOR'), member('Alan', 'EDITOR'), member('Grace', 'VIEWER')],
});
const HOSTILE = `<img src=x onerror=alert(1)> שלום ${'Wrenfield'.repeat(20)}.mp4`;

CHROMIUM.describe('uploading and recording in the library', () => {
  let service: TestService;
  let folder: string;
  const open = pagesOfTests([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    '--autoplay-policy=no-user-gesture-required',
  ]);

  beforeAll(async () => {
    service = await startService({ QUOTA_FREE_STORED_BYTES: '100000' });
    await service.import({ users: [ada, grace, linus, mary, alan], organizations: [acme] });
    folder = await mkdtemp(join(tmpdir(), 'mrs-drop-'));
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true });
  });

  async function file(name: string, content: Uint8Array | string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  /** As a person drags them from another window. */
  async function drag(
    page: Page,
    paths: readonly string[],
    types: readonly ('dragEnter' | 'dragOver' | 'drop')[],
  ) {
    const client = await page.context().newCDPSession(page);
    const data = { items: [], files: [...paths], dragOperationsMask: 1 };
    for (const type of types) await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }

  const drop = (page: Page, ...paths: string[]) => drag(page, paths, ['dragEnter', 'dragOver', 'drop']);
  /** The panel has folded then: what is in it is there, but not seen. */
  const finished = (page: Page) => page.getByText('Uploads finished').waitFor();
  const row = (page: Page, title: string) => page.locator('.upload', { hasText: title });
  const recordingsOf = (name: string, title: string) =>
    done(service.api.as(keyOf(name)).get(`/recordings?search=${encodeURIComponent(title)}`));
  const detail = async (name: string, title: string) => {
    const [{ id }] = await recordingsOf(name, title);
    return done(service.api.as(keyOf(name)).get(`/recordings/${id}`));
  };

  /** Lets this many pieces pass; the others hang, as on a connection that has gone silent. */
  async function hang(page: Page, passing: number): Promise<void> {
    let pieces = 0;
    await page.route('**/api/v1/uploads/*', async (route: Route) => {
      if (route.request().method() !== 'PATCH' || (pieces += 1) <= passing) await route.continue();
    });
  }

  const SENT = '1 MB of 3.1 MB · 33 %';

  it('takes several files dropped anywhere, to the organization that the list shows, and says what it does not take', async () => {
    const { page, complaints } = await openLibrary(service, open, ada.id, `/record?organization=${acme.id}`);
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    const film = await file(HOSTILE, demoVideo());
    const other = await file('customer-call.mp4', demoVideo('customer-call'));
    await mkdir(join(folder, 'Meetings'));
    const refused = [await file('notes.txt', 'Notes'), await file('empty.mp4', ''), join(folder, 'Meetings')];
    await drag(page, [film], ['dragEnter', 'dragOver']);
    await page.getByText('They go to: Acme').waitFor();
    await expectUsable(page);
    await drop(page, film, other, ...refused);
    await page.getByText('Folders cannot be uploaded. Drop the files in them instead: Meetings.').waitFor();
    await page.getByText('Not audio or video, and not uploaded: notes.txt.').waitFor();
    await page.getByText('Empty, and not uploaded: empty.mp4.').waitFor();
    await finished(page);
    expect(await page.locator('.upload').count()).toBe(2);
    await expectUsable(page);

    const sent = await detail('Ada', 'Wrenfield');
    expect(sent).toMatchObject({ title: HOSTILE, status: 'PROCESSING', organizationId: acme.id });
    expect(await storedSha256(service, sent.id)).toBe(sha256(demoVideo()));
    // Also of a panel that has folded again.
    await row(page, 'customer-call').locator('a', { hasText: 'Open' }).dispatchEvent('click');
    await page.waitForURL(/\/recordings\/[\da-f-]{36}$/);
    await page.locator('.uploads button', { hasText: 'Clear finished uploads' }).dispatchEvent('click');
    await page.locator('.upload').first().waitFor({ state: 'detached' });
    expect(await page.locator('.upload').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says what to do about a file that is no media after all, and one that somebody has no room for', async () => {
    const { page } = await openLibrary(service, open, linus.id, '/record', {
      ...PHONE_AT_NIGHT,
      locale: 'de-DE',
    });
    const [, chooser] = await Promise.all([
      page.getByRole('button', { name: 'Hochladen' }).click(),
      page.waitForEvent('filechooser'),
    ]);
    await chooser.setFiles([
      await file('text.mp4', 'Minutes\n'.repeat(1000)),
      await file('big.mp4', fakeVideo(200_000)),
    ]);
    await row(page, 'text.mp4').getByText('Diese Datei ist kein lesbares Audio oder Video.').waitFor();
    await row(page, 'big.mp4').getByText('Das Kontingent ist aufgebraucht.').waitFor();
    await page.getByText('2 Uploads warten auf Sie').waitFor();
    await expectUsable(page);
    await service.dataSource.query(`UPDATE users SET plan = 'PRO' WHERE id = $1`, [linus.id]);
    await row(page, 'big.mp4').getByRole('button', { name: 'Erneut versuchen' }).click();
    await row(page, 'big.mp4').getByText('Hochgeladen').waitFor();
    await row(page, 'text.mp4').getByRole('button', { name: 'Abbrechen' }).click();
    await page.getByRole('button', { name: 'Upload abbrechen' }).click();
    expect(await page.locator('.upload').count()).toBe(1);
    await until(page, 'document.activeElement.closest(".uploads") !== null');
  });

  it('continues after a reload in the middle, without the file being chosen again', async () => {
    const { page } = await openLibrary(service, open, ada.id, '/record');
    const content = fakeVideo(3 * MIB);
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    await hang(page, 1);
    await drop(page, await file('reloaded.mp4', content));
    await row(page, 'reloaded').getByText(SENT).waitFor();
    await expectUsable(page);
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await finished(page);
    await row(page, 'reloaded').getByText('Uploaded').waitFor({ state: 'attached' });
    const { id, status } = await detail('Ada', 'reloaded.mp4');
    expect([status, await storedSha256(service, id)]).toEqual(['PROCESSING', sha256(content)]);
    expect(await recordingsOf('Ada', 'reloaded.mp4')).toHaveLength(1);
  });

  it('asks for the same file again if the browser could not keep it', async () => {
    // As in private windows, where browsers keep only where the file is.
    const { page } = await openLibrary(service, open, ada.id, '/record');
    const content = fakeVideo(3 * MIB);
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    await hang(page, 1);
    const path = await file('gone.mp4', content);
    await drop(page, path);
    await row(page, 'gone').getByText(SENT).waitFor();
    await rm(path);
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByText('1 upload needs attention').waitFor();
    await expectUsable(page);
    for (const [name, bytes] of [
      ['other.mp4', demoVideo()],
      ['gone.mp4', content],
    ] as const) {
      const choosing = page.waitForEvent('filechooser');
      await row(page, 'gone').getByRole('button', { name: 'Choose file' }).click();
      await (await choosing).setFiles(await file(name, bytes));
      if (name === 'other.mp4')
        await page.getByText('This is another file. Choose “gone.mp4”, unchanged.').waitFor();
    }
    await finished(page);
    await row(page, 'gone').getByText('Uploaded').waitFor({ state: 'attached' });
    const { id } = await detail('Ada', 'gone.mp4');
    expect(await storedSha256(service, id)).toBe(sha256(content));
  });

  it('is sent by one tab, shown by all, and taken over by another when that one is closed', async () => {
    const { page } = await openLibrary(service, open, ada.id, '/record');
    const content = fakeVideo(3 * MIB);
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    const second = await page.context().newPage();
    let pieces = 0;
    second.on('request', (request) => (pieces += request.method() === 'PATCH' ? 1 : 0));
    await second.goto(page.url());
    await second.locator('input[type=file]').waitFor({ state: 'attached' });
    await hang(page, 1);
    await drop(page, await file('two-tabs.mp4', content));
    await row(second, 'two-tabs').getByText(SENT).waitFor();
    await row(second, 'two-tabs').getByRole('button', { name: 'Pause' }).click();
    await row(page, 'two-tabs').getByText('Paused · 1 MB').waitFor();
    await row(second, 'two-tabs').getByRole('button', { name: 'Continue' }).click();
    expect(pieces).toBe(0);
    await page.close();
    await finished(second);
    await row(second, 'two-tabs').getByText('Uploaded').waitFor({ state: 'attached' });
    const { id } = await detail('Ada', 'two-tabs.mp4');
    expect(await storedSha256(service, id)).toBe(sha256(content));
  });

  it('waits for the connection and for a session, and then continues by itself', async () => {
    const { page } = await openLibrary(service, open, ada.id, '/record');
    const content = fakeVideo(3 * MIB);
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    await page.context().route('**/api/v1/uploads/*', (route) => route.abort());
    await drop(page, await file('waits.mp4', content));
    await row(page, 'waits').getByText('No connection. Continues by itself.').waitFor();
    await page.context().clearCookies();
    await page.context().unrouteAll({ behavior: 'ignoreErrors' });
    await row(page, 'waits').getByText('Continues once you have signed in again.').waitFor();
    const token = (await sessionOf(service, ada.id)).slice(SESSION.length);
    await page.context().addCookies([{ name: 'mrs_session', value: token, url: service.api.base }]);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await finished(page);
    await row(page, 'waits').getByText('Uploaded').waitFor({ state: 'attached' });
    const { id } = await detail('Ada', 'waits.mp4');
    expect(await storedSha256(service, id)).toBe(sha256(content));
  });

  it('is sent again as a whole if the service has closed it meanwhile, as overnight, into the same recording', async () => {
    const impatient = await startService({ UPLOAD_IDLE_TIMEOUT: '2' }, { worker: true });
    try {
      await impatient.import({ users: [ada] });
      const recordings = async () => (await impatient.api.as(keyOf('Ada')).get('/recordings')).body.data;
      const { page } = await openLibrary(impatient, open, ada.id, '/record');
      // Longer than a piece, and still quickly made into a recording.
      const film = Buffer.concat([demoVideo(), Buffer.alloc(1.5 * MIB)]);
      await page.locator('input[type=file]').waitFor({ state: 'attached' });
      await hang(page, 1);
      await drop(page, await file('overnight.mp4', film));
      await row(page, 'overnight').getByText('1 MB of 1.6 MB · 64 %').waitFor();
      const { id } = (await recordings())[0];
      const completed = () =>
        eventually(async () => expect((await recordings())[0]).toMatchObject({ id, status: 'COMPLETED' }));
      await page.goto('about:blank');
      await completed();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto(`${impatient.api.base}/app/record`);
      await finished(page);
      await row(page, 'overnight').getByText('Uploaded').waitFor({ state: 'attached' });
      // Before and after it has been made into a recording.
      await eventually(async () => {
        const { quotas } = await done(impatient.api.as(keyOf('Ada')).get('/me'));
        expect(quotas.stored_bytes.used).toBe(film.length);
      });
      expect(await recordings()).toHaveLength(1);
    } finally {
      await impatient.stop();
    }
  });

  const kept = `new Promise((resolve) => {
    indexedDB.open('library').onsuccess = ({ target }) => {
      target.result.transaction('chunks').objectStore('chunks').getAll().onsuccess = ({ target }) =>
        resolve(target.result.reduce((sum, { size }) => sum + size, 0));
    };
  })`;
  const uploaded = async (id: string): Promise<number> => {
    const [upload] = await service.dataSource.query('SELECT received FROM uploads WHERE recording_id = $1', [
      id,
    ]);
    return Number(upload?.received ?? 0);
  };
  const only = async () => {
    const [recording] = await done(service.api.as(keyOf('Alan')).get('/recordings'));
    return recording;
  };

  it('shows that the microphone works, sends while it runs, pauses, and leads to the recording', async () => {
    const { page, complaints } = await openLibrary(service, open, alan.id, `/record?organization=${acme.id}`);
    await page.getByRole('button', { name: 'Camera and microphone' }).click();
    await page.getByText('The microphone works.').waitFor();
    await expectUsable(page);
    await page.getByLabel('Title').fill('<b>Stand-up</b>');
    await page.getByRole('button', { name: 'Start recording' }).click();
    await page.locator('.recording-state', { hasText: 'Recording' }).waitFor();
    expect(await page.title()).toBe('● Recording · Meeting recordings');
    await eventually(async () => {
      const { id, status, organizationId } = await only();
      expect([status, organizationId]).toEqual(['UPLOADING', acme.id]);
      expect(await uploaded(id)).toBeGreaterThan(10_000);
    });
    await expectUsable(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Recording paused').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Action items' }).click();
    await page.getByRole('dialog', { name: 'Stop recording and leave?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForURL(/\/recordings\/[\da-f-]{36}$/);
    await eventually(async () =>
      expect(await only()).toMatchObject({ title: '<b>Stand-up</b>', status: 'PROCESSING' }),
    );
    expect(complaints).toEqual([]);
    await done(service.api.as(keyOf('Alan')).delete(`/recordings/${(await only()).id}`));
  });

  it('completes on the next visit what was recorded until the browser crashed, also without a connection', async () => {
    const { page } = await openLibrary(service, open, alan.id, '/record');
    const context = page.context();
    await page.getByRole('button', { name: 'Camera and microphone' }).click();
    await page.getByRole('button', { name: 'Start recording' }).click();
    await eventually(async () => expect(await uploaded((await only())?.id)).toBeGreaterThan(10_000));
    await context.route('**/api/v1/uploads/*', (route) => route.abort());
    await page.getByText('No connection. Continues by itself.').waitFor();
    const { id } = await only();
    const sent = await uploaded(id);
    await eventually(async () => expect(await page.evaluate(kept)).toBeGreaterThan(sent + 10_000));
    const size = Number(await page.evaluate(kept));
    await page.close({ runBeforeUnload: false });
    await context.unrouteAll({ behavior: 'ignoreErrors' });

    const next = await context.newPage();
    await next.goto(`${service.api.base}/app/record`);
    await next.getByText(/^Recording “.+” was interrupted\. What was recorded is being sent\.$/).waitFor();
    await finished(next);
    await next.getByText('Uploaded ·').waitFor({ state: 'attached' });
    expect(await only()).toMatchObject({ id, status: 'PROCESSING' });
    expect(await uploaded(id)).toBeGreaterThanOrEqual(size);
    expect(await next.evaluate(kept)).toBe(0);
    await done(service.api.as(keyOf('Alan')).delete(`/recordings/${id}`));
  });

  it('goes on while the service has no room for it, and sends it once there is', async () => {
    const { page } = await openLibrary(service, open, mary.id, '/record');
    await page.getByRole('button', { name: 'Camera and microphone' }).click();
    await page.getByRole('button', { name: 'Start recording' }).click();
    await page.getByText('Not being sent: The quota is used up.').waitFor();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForURL(/\/recordings\/[\da-f-]{36}$/);
    await page.getByText('1 upload needs attention').waitFor();
    const size = Number(await page.evaluate(kept));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save on this device' }).click();
    expect((await stat(await (await download).path())).size).toBe(size);
    await service.dataSource.query(`UPDATE users SET plan = 'PRO' WHERE id = $1`, [mary.id]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await finished(page);
    await page.getByText('Uploaded ·').waitFor({ state: 'attached' });
    const [{ id, status }] = await done(service.api.as(keyOf('Mary')).get('/recordings'));
    expect([status, await uploaded(id)]).toEqual(['PROCESSING', size]);
  });

  it('records the screen with sound and microphone, and keeps what was recorded when sharing ends', async () => {
    const { page } = await openLibrary(service, open, alan.id, '/record');
    await page.evaluate(`{
      const { mediaDevices } = navigator;
      const ask = mediaDevices.getDisplayMedia.bind(mediaDevices);
      mediaDevices.getDisplayMedia = async (options) => (window.display = await ask(options));
    }`);
    await page.getByRole('button', { name: 'Screen or window' }).click();
    await page.getByText('The microphone works.').waitFor();
    await page.getByLabel('Microphone', { exact: true }).selectOption({ label: 'No microphone' });
    await page.getByText('The microphone works.').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Start recording' }).click();
    await eventually(async () => expect(await uploaded((await only())?.id)).toBeGreaterThan(1_000));
    await page.evaluate(`window.display.getVideoTracks()[0].dispatchEvent(new Event('ended'))`);
    await page.getByText('Everything up to then is kept.').waitFor();
    await page.waitForURL(/\/recordings\/[\da-f-]{36}$/);
    await eventually(async () => expect(await only()).toMatchObject({ status: 'PROCESSING' }));
  });

  it.each([
    ['a desktop', DESK, 'Microphone only', 'NotAllowedError', 'The browser was not allowed to record.'],
    [
      'a phone at night, in German',
      { ...PHONE_AT_NIGHT, locale: 'de-DE' },
      'Kamera und Mikrofon',
      'NotFoundError',
      'Es wurde keine Kamera oder kein Mikrofon gefunden.',
    ],
  ])('says on %s why nothing can be recorded, and what to do', async (_, options, kind, name, text) => {
    const { page } = await openLibrary(service, open, grace.id, '/record', options);
    await page.getByRole('button', { name: kind }).waitFor();
    await page.evaluate(`{
      window.ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '${name}'));
    }`);
    await page.getByRole('button', { name: kind }).click();
    await page.getByRole('alert').getByText(text).waitFor();
    await expectUsable(page);
    await page.evaluate('navigator.mediaDevices.getUserMedia = window.ask');
    await page.getByRole('button', { name: kind }).click();
    await page.locator('meter').waitFor();
    // A viewer may create nothing in the organization.
    expect(await page.locator('select option', { hasText: 'Acme' }).count()).toBe(0);
    await expectUsable(page);
  });
});
