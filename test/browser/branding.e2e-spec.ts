import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { keyOf, member, organization, transcript, user } from '../factories/workspace.js';
import { pagesOfTests, until, violations } from '../support/browser.js';
import { done, type Client } from '../support/client.js';
import { DESK, expectUsable, openLibrary, PHONE_AT_NIGHT } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const SUMMARY = {
  content: '## Decisions\n\n- Ship it (0:12)',
  topics: [
    { title: 'Numbers', start: 10, keyPoints: [{ point: 'Up six per cent', start: 12, details: [] }] },
  ],
};

CHROMIUM.describe('branding in a browser', () => {
  let service: TestService;
  let ada: Client;
  let links: Readonly<Record<string, string>>;
  const open = pagesOfTests();
  const owner = user('Ada');
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const logo = () =>
    sharp({ create: { width: 900, height: 200, channels: 4, background: '#123456' } })
      .png()
      .toBuffer();

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [owner], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
    const meeting = { title: 'Board call', media: 'none', organization_id: acme.id };
    const { id } = await done(ada.post('/recordings', meeting));
    await done(ada.request('PUT', `/recordings/${id}/transcript`, { body: transcript(60) }));
    await done(ada.request('PUT', `/recordings/${id}/summary`, { body: SUMMARY }));
    const share = (body: object) => done(ada.post(`/recordings/${id}/share-link`, body));
    links = {
      'the page': (await share({ permission: 'download' })).share_url,
      'the password form': (await share({ password: 'open sesame' })).share_url,
    };
    const headers = { 'content-type': 'image/png' };
    await done(ada.request('PUT', `/organizations/${acme.id}/logo`, { body: await logo(), headers }));
  });
  afterAll(() => service.stop());

  it.each([
    ['#ffee00', DESK, 'the page'],
    ['#ffee00', PHONE_AT_NIGHT, 'the password form'],
    ['#050505', PHONE_AT_NIGHT, 'the page'],
    ['#fdfdfd', DESK, 'the password form'],
  ])('leaves share pages legible, whatever the accent: %s', async (accent, options, shown) => {
    await done(ada.patch(`/organizations/${acme.id}`, { branding: { accent } }));
    const { page, complaints } = await open(options);
    await page.goto(links[shown]!);
    await until(page, `document.querySelector('.logo').naturalWidth === 432`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is chosen in the settings of the organization, which say what a domain needs', async () => {
    const { page, complaints } = await openLibrary(
      service,
      open,
      owner.id,
      `/organizations/${acme.id}/settings`,
      DESK,
    );
    await page.getByLabel('Color of share pages').fill('#7A1FA2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').first().waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByRole('button', { name: 'Remove the logo' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Choose a logo' }).click();
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: await logo() };
    await page.getByLabel('Image').setInputFiles(file);
    await expectUsable(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Choose a logo' }).click();
    await until(page, `document.querySelector('.settings .logo')?.naturalWidth === 432`);
    await expectUsable(page);
    expect(complaints).toEqual([]);
    await page.getByLabel('Domain of share pages').fill('localhost');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('must be a host name such as meetings.example.com').waitFor();
    const { branding } = await done(ada.get(`/organizations/${acme.id}`));
    expect(branding).toMatchObject({ accent: '#7a1fa2', domain: null, logo_url: expect.any(String) });
  });
});
