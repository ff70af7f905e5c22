import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { pagesOfTests, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { created, demoVideo, RawTus } from '../support/uploads.js';

CHROMIUM.describe('the status on a share page in a browser', () => {
  let service: TestService;
  let ada: Client;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  async function visit(id: string): Promise<WatchedPage> {
    const { body } = await ada.post(`/recordings/${id}/share-link`, { permission: 'download' });
    const watched = await open();
    await watched.page.goto(`${service.api.base}/s/${body.data.share_token}`);
    return watched;
  }

  it('updates the status without a reload', async () => {
    const { id } = await created(ada);
    await ada.patch(`/recordings/${id}`, { status: 'WAIT_APPROVAL' });
    const { page, complaints } = await visit(id);
    const says = async (title: string) => {
      // A page that becomes visible again checks immediately.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await page.getByRole('status').getByText(title, { exact: true }).waitFor();
    };
    await page.getByRole('status').getByText('Waiting to start', { exact: true }).waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    await new RawTus(ada, id).patch(0, demoVideo().subarray(0, 20_000));
    await says('Uploading recording');
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await service.dataSource.query(
      `UPDATE recordings SET status = 'PROCESSING', progress = 0.6 WHERE id = $1`,
      [id],
    );
    await says('Processing recording');
    await page.getByText('60%', { exact: true }).waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('60');
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    const { body } = await ada.get(`/recordings/${id}/share-links`);
    expect(body.data[0].view_count).toBe(1);
    expect(complaints).toEqual([]);
    await ada.delete(`/recordings/${id}/share-links/${body.data[0].id}`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('heading', { name: "This link isn't available" }).waitFor();
  });
});
