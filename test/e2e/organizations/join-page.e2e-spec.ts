import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

describe('the page of an invitation', () => {
  let service: TestService;
  let acme: { id: string; name: string };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Eve')] });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = organization(`Acme <b>${Math.random()}`, { members: [member('Ada', 'OWNER')] });
    await service.import({ organizations: [acme] });
  });

  async function invited(email: string, fields: object = {}): Promise<string> {
    const path = `/organizations/${acme.id}/invitations`;
    const { body } = await service.api.as(keyOf('Ada')).post(path, { email, role: 'EDITOR', ...fields });
    return body.data.invite_token;
  }

  const open = async (token: string, form?: Record<string, string>) => {
    const response = await fetch(`${service.api.base}/join/${token}`, {
      ...(form && {
        method: 'POST',
        headers: { origin: service.api.base },
        body: new URLSearchParams(form),
      }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('gives a new person their key, once, and works with it', async () => {
    const token = await invited('grace@new.test');
    const page = await open(token);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.text).toContain('Acme &lt;b&gt;');
    expect(page.text).toContain('Your name');
    const joined = await open(token, { name: 'Grace' });
    const key = /id="key"[^>]*>(mrs_[A-Za-z0-9]+)</.exec(joined.text)?.[1] ?? '';
    const { body } = await service.api.as(key).get('/organizations');
    expect(body.data).toMatchObject([{ id: acme.id, role: 'EDITOR' }]);
    expect((await open(token)).status).toBe(404);
    expect((await open(token, { name: 'Grace' })).text).not.toContain('mrs_');
  });

  it('looks the same for an address that somebody has and one that nobody has', async () => {
    const pages = await Promise.all(
      [emailOf('Eve'), emailOf('Eva')].map(async (email) => {
        const token = await invited(email);
        const { text } = await open(token);
        return text
          .replaceAll(email, '')
          .replaceAll(token, '')
          .replace(/nonce="[^"]*"|datetime="[^"]*">[^<]*/g, '');
      }),
    );
    expect(pages[0]).toContain('Your name');
    expect(pages[0]).toContain('API key for');
    expect(pages[1]).toBe(pages[0]);
  });

  it.each([
    [
      { role: 'EDITOR' },
      'see its recordings: your own and those in folders open to you, add recordings, and change the ones you own',
    ],
    [
      { role: 'EDITOR', features: { view_all_recordings: true } },
      'see all of its recordings, add recordings, and change the ones you own',
    ],
    [{ role: 'VIEWER' }, 'see its recordings: those in folders open to you'],
    [{ role: 'VIEWER', features: { view_folder_recordings: false } }, 'see its recordings: only your own'],
    [
      { role: 'ADMIN' },
      'see all of its recordings, add recordings, change any of them, and manage members and folders',
    ],
  ])('says what a member with %j can do', async (fields, abilities) => {
    const { text } = await open(await invited('hedy@new.test', fields));
    expect(text).toContain(`you can ${abilities}.`);
    expect(text).toContain('an account is created for you, and you are signed in.');
  });

  it('takes the API key of an existing user, and no other', async () => {
    const token = await invited(emailOf('Eve'));
    expect((await open(token)).text).toContain('API key for');
    const stranger = await open(token, { key: keyOf('Ada') });
    expect([stranger.status, stranger.text.includes('is for another email address')]).toEqual([403, true]);
    const wrong = await open(token, { key: 'mrs_wrong' });
    expect([wrong.status, wrong.text.includes('This API key is invalid')]).toEqual([401, true]);
    expect((await open(token, { key: keyOf('Eve') })).status).toBe(200);
    const { body } = await service.api.as(keyOf('Eve')).get('/organizations');
    expect(body.data).toContainEqual(expect.objectContaining({ id: acme.id, role: 'EDITOR' }));
  });

  it('says what is wrong with a name, and that an unknown invitation is not available', async () => {
    const token = await invited('ida@new.test');
    const refused = await open(token, { name: ' ' });
    expect([refused.status, refused.text.includes('Enter a name of 1 to 200 characters.')]).toEqual([
      400,
      true,
    ]);
    const gone = await open('inv_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg');
    expect([gone.status, gone.text.includes('This invitation isn&#39;t available')]).toEqual([404, true]);
  });
});
