import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { WorkspaceImportService } from '../../src/modules/workspace/workspace-import.service.js';
import { SETTINGS, type Settings } from '../../src/platform/config/settings.js';
import { WorkspaceReaderService } from '../../src/modules/workspace/workspace-reader.service.js';
import { projectVersion } from '../../src/lib/project-root.js';
import { openBrowser, openPage, violations } from '../support/browser.js';
import { CHROMIUM } from '../support/requirements.js';
import { SESSION } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';
import { sessionOf } from '../support/sessions.js';
import { COMMAND_LINE } from '../../src/policy/management.js';

const AMARA = '019c1d5d-9c00-7a01-8a00-5eed0000a001';
const WEEKLY = '01a1edfd-ddc0-7c01-8c00-5eed0000c001';

CHROMIUM.describe('the demo workspace in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let key: string;

  beforeAll(async () => {
    service = await startService();
    const workspace = await service.app.get(WorkspaceReaderService).read('demo/workspace.json');
    await service.app.get(WorkspaceImportService).import(workspace);
    ({ key } = await service.app.get(ApiKeysService).create(AMARA, { name: 'test' }, COMMAND_LINE));
    Object.assign(service.app.get<Settings>(SETTINGS), { demo: true });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('plays videoUrl, and continues from the middle after a seek', async () => {
    const { body } = await service.api.as(key).get(`/recordings/${WEEKLY}`);
    const { page, complaints } = await openPage(browser);
    await page.goto(body.data.videoUrl);
    const played = await page.evaluate(`(async () => {
      const video = document.querySelector('video');
      video.muted = true;
      await video.play();
      const middle = video.duration / 2;
      video.currentTime = middle;
      await new Promise((done) => video.addEventListener('seeked', done, { once: true }));
      await new Promise((done) => video.addEventListener('timeupdate', () => video.currentTime > middle && done()));
      return { duration: video.duration, width: video.videoWidth, error: video.error };
    })()`);
    expect(played).toEqual({ duration: expect.closeTo(261.4, 0), width: 960, error: null });
    expect(complaints).toEqual([]);
  });

  describe('Swagger UI', () => {
    let page: Page;
    let complaints: string[];

    beforeAll(async () => {
      ({ page, complaints } = await openPage(browser));
      await page.goto(`${service.api.base}/docs`);
      await authorize();
    });
    afterAll(() => page.close());

    async function authorize(): Promise<void> {
      await page.click('.btn.authorize');
      await page.fill('.modal-ux input', key);
      await page.click('.modal-ux .btn.authorize');
      await page.waitForSelector('.modal-ux [aria-label="Remove authorization"]');
      await page.click('.modal-ux .btn-done');
    }

    /** Of what Swagger UI does not have itself, light and dark. */
    async function ownViolations(): Promise<string[]> {
      const found: string[] = [];
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await violations(page)).flatMap((rule) => rule.split(' | ')));
      }
      return found.filter((one) => /samples|aria-pressed|key-holder|demo-key/.test(one));
    }

    const holder = () => page.locator('.key-holder').innerText();

    /** Finds an operation with the filter box, as the tags are folded. */
    async function find(operation: string): Promise<Locator> {
      await page.fill('.operation-filter', operation.toLowerCase());
      return page.locator(`.opblock[id$="-${operation}"]`);
    }

    /** Opens an operation and executes it with the prefilled values. */
    async function execute(operation: string): Promise<Locator> {
      const block = await find(operation);
      await block.locator('.opblock-summary-control').click();
      await block.locator('.btn.execute').click();
      return block;
    }

    it('shows the version of the service, and opens with what people do first', async () => {
      expect((await page.locator('.version').first().innerText()).trim()).toBe(projectVersion());
      expect(await page.locator('.opblock-tag a').first().innerText()).toBe('Recordings');
      const named = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
      expect(named.slice(0, 5).map((name) => name.split('-').at(-1))).toEqual([
        'listRecordings',
        'getRecording',
        'createRecording',
        'openUpload',
        'uploadMedia',
      ]);
      expect(await page.locator('.opblock-tag-section.is-open').count()).toBe(1);
    });

    it('has a lock where a key is needed', async () => {
      await page.fill('.operation-filter', 'PUT media');
      // Of a recording, and of a track.
      expect(await page.locator('.opblock').count()).toBe(2);
      const locks = async (operation: string) =>
        (await find(operation)).locator('.authorization__btn').count();
      expect([await locks('getMe'), await locks('listPlans'), await locks('getShare')]).toEqual([1, 0, 0]);
    });

    it('names the text that no operation matches', async () => {
      await page.fill('.operation-filter', 'nothing at all');
      expect(await page.locator('.no-operation').innerText()).toBe('No operation matches "nothing at all".');
    });

    it('is dark where the system is, also when that changes', async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForSelector('html.dark-mode .swagger-ui');
      await page.emulateMedia({ colorScheme: 'light' });
      await page.waitForSelector('html:not(.dark-mode) .swagger-ui');
    });

    it('names the command that follows a stream, in place of a request without an end', async () => {
      const block = await find('streamEvents');
      await block.locator('.opblock-summary-control').click();
      expect(await block.locator('.stream code').innerText()).toBe(
        `curl -N -H "Authorization: Bearer <API_KEY>" ${service.api.base}/api/v1/events/stream`,
      );
      expect(await block.locator('.btn.execute').count()).toBe(0);
    });

    it('says whose the key is, and keeps it for this tab until Logout', async () => {
      expect(await holder()).toBe('Amara Osei, plan FREE, all scopes');
      await page.reload();
      await page.waitForSelector('.btn.authorize.locked');
      expect(await holder()).toBe('Amara Osei, plan FREE, all scopes');
      const other = await page.context().newPage();
      await other.goto(`${service.api.base}/docs`);
      expect(await other.locator('.btn.authorize.unlocked').count()).toBe(1);
      await other.close();
      await page.click('.btn.authorize');
      await page.click('.modal-ux [aria-label="Remove authorization"]');
      await page.click('.modal-ux .btn-done');
      const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
      expect([stored, await holder()]).toEqual(['[{},{}]', '']);
    });

    it('says why a key is refused, and does not use it', async () => {
      await page.click('.btn.authorize');
      await page.fill('.modal-ux input', 'mrs_0000000000000000000000');
      await page.click('.modal-ux .btn.authorize');
      await page.waitForSelector('.modal-ux :text("INVALID_API_KEY")');
      await page.click('.modal-ux .btn-done');
      expect(await page.locator('.btn.authorize.unlocked').count()).toBe(1);
    });

    it('fills in the key of the demo with one click, on this host', async () => {
      await page.reload();
      await page.waitForSelector('.demo-key');
      expect(await ownViolations()).toEqual([]);
      await page.click('.demo-key');
      await page.waitForSelector('.btn.authorize.locked');
      expect(await holder()).toBe('Amara Osei, plan FREE, all scopes');
    });

    it('shows samples in each language, one for all operations, to be copied', async () => {
      const block = await find('listRecordings');
      await block.locator('.opblock-summary-control').click();
      const samples = block.locator('.samples');
      expect(await samples.locator('> button').allInnerTexts()).toEqual([
        'curl',
        'TypeScript',
        'Python',
        'mrs',
      ]);
      await samples.getByText('mrs', { exact: true }).click();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await samples.locator('.copy-to-clipboard button').click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        'npx mrs recordings list --status COMPLETED',
      );
      expect(await ownViolations()).toEqual([]);
    });

    it('makes an Idempotency-Key for each request, and repeats one that was entered', async () => {
      const block = await find('createRecording');
      const input = block.locator('[data-param-name="Idempotency-Key"] input');
      await block.locator('.opblock-summary-control').click();
      const sent: string[] = [];
      for (const entered of [undefined, undefined, 'mine', undefined]) {
        if (entered) await input.fill(entered);
        sent.push(await input.inputValue());
        await block.locator('.btn.execute').click();
        await block.locator(`.curl:has-text("${sent.at(-1)}")`).waitFor();
      }
      expect(sent.map((one) => /^[\w-]{4,50}$/.test(one))).toEqual([true, true, true, true]);
      expect([new Set(sent).size, sent[2], sent[3]]).toEqual([3, 'mine', 'mine']);
      await block.locator('.opblock-summary-control').click();
    });

    it.each([
      ['getRecording', '200'],
      ['createRecording', '201'],
    ])('%s returns %s with the prefilled values', async (operation, status) => {
      const block = await execute(operation);
      const shown = block.locator('.live-responses-table tbody .response-col_status').first();
      expect((await shown.textContent())?.trim()).toBe(status);
    });

    it.each(['deleteRecording', 'importTranscript'])(
      'requires an id before it sends %s',
      async (operation) => {
        const block = await execute(operation);
        const refusal = block.locator('.validation-errors li');
        expect((await refusal.textContent())?.trim()).toBe("For 'id': Required field is not provided.");
        expect(await block.locator('.live-responses-table').count()).toBe(0);
      },
    );

    it.each(['application/octet-stream', 'multipart/form-data'])(
      'says that a file is missing: %s',
      async (type) => {
        const block = await find('uploadMedia');
        if (!(await block.locator('.btn.execute').count()))
          await block.locator('.opblock-summary-control').click();
        await block.locator('[data-param-name="id"] input').fill(WEEKLY);
        await block.locator('.opblock-section-request-body select').first().selectOption(type);
        await block.locator('.btn.execute').click();
        expect(await block.locator('.validation-errors li').allInnerTexts()).toEqual(['Choose a file.']);
        expect(await block.locator('.live-responses-table').count()).toBe(0);
      },
    );

    it('shows each error as one line with its code and condition', async () => {
      const errors = (await find('deleteRecording')).locator('.response[data-code="401"]');
      expect((await errors.innerText()).split('\n').map((line) => line.trim())).toEqual([
        '401',
        'UNAUTHORIZED: the Authorization header is missing or malformed',
        'INVALID_API_KEY: the API key does not exist or has been revoked',
        'API_KEY_EXPIRED: the API key has expired',
        'TOKEN_EXPIRED: the browser token or OAuth access token has expired',
        'SESSION_ENDED: the cookie of the request is that of a session that has ended',
        'INVALID_TOKEN: the OAuth access token is unknown or was issued for another resource, or its connection has been revoked',
        "USER_NOT_FOUND: the API key's user no longer exists",
      ]);
    });

    it('logs no errors, except for the key that is refused', () =>
      expect(complaints).toEqual([expect.stringContaining('401 (Unauthorized)')]));

    it('needs no key from whoever has signed in', async () => {
      const other = await openPage(browser);
      const value = (await sessionOf(service, AMARA)).slice(SESSION.length);
      await other.page.context().addCookies([{ name: 'mrs_session', value, url: service.api.base }]);
      await other.page.goto(`${service.api.base}/docs`);
      await other.page.fill('.operation-filter', 'createrecording');
      const block = other.page.locator('.opblock[id$="-createRecording"]');
      await block.locator('.opblock-summary-control').click();
      await block.locator('.btn.execute').click();
      const status = block.locator('.live-responses-table tbody .response-col_status').first();
      expect((await status.textContent())?.trim()).toBe('201');
      expect(other.complaints).toEqual([]);
      await other.page.close();
    });
  });
});
