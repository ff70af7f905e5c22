import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { type Client } from '../../support/client.js';
import { saying } from '../../support/found.js';
import { startService, type TestService } from '../../support/service.js';

/** As macOS spells it in names of files, and as keyboards do. */
const [APART, COMPOSED] = ['Zoe\u0308', 'Zo\u00eb'];

describe('letters that look the same', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [folder(APART)] });
  const meeting = recording('Ada', {
    title: `\u202e${APART}\u200b`,
    organization: 'Acme',
    folder: COMPOSED,
    transcript: saying(null, [`\u202e${APART}\u2028`, `It is ${APART} again.`]),
  });

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada', { name: APART })],
      organizations: [acme],
      recordings: [meeting],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const dataOf = async (path: string) => (await ada.get(path)).body.data;

  it('are the same in a workspace file, whichever way it spells them', async () => {
    expect(await dataOf('/me')).toMatchObject({ name: COMPOSED });
    expect(await dataOf(`/organizations/${acme.id}/folders`)).toMatchObject([{ name: COMPOSED }]);
    const found = await dataOf(`/recordings/${meeting.id}`);
    expect(found).toMatchObject({ title: COMPOSED, transcription: { speakers: [COMPOSED] } });
  });

  it('are one name of a folder, one speaker, one term and one address', async () => {
    for (const name of [APART, COMPOSED, `${APART}\u2060`]) {
      const taken = await ada.post(`/organizations/${acme.id}/folders`, { name });
      expect([taken.status, taken.body.error?.code]).toEqual([409, 'CONFLICT']);
    }
    const rename = { from: APART, to: `${APART} \u200fLovelace` };
    expect(
      (await ada.patch(`/recordings/${meeting.id}/transcript/speakers`, rename)).body.data.speakers,
    ).toEqual([`${COMPOSED} Lovelace`]);
    const terms = { terms: [{ term: APART, heard_as: [`So\u200by ${APART}`] }] };
    const glossary = await ada.request('PUT', `/organizations/${acme.id}/glossary`, { body: terms });
    expect(glossary.body.data).toEqual({ terms: [{ term: COMPOSED, heard_as: [`Soy ${COMPOSED}`] }] });
    const path = `/organizations/${acme.id}/invitations`;
    for (const name of [APART, COMPOSED]) await ada.post(path, { email: emailOf(name), role: 'VIEWER' });
    const invited = await dataOf(`${path}?search=${encodeURIComponent(APART)}`);
    expect(invited).toMatchObject([{ email: emailOf(COMPOSED) }]);
  });

  it.each(['a\u009bb', '\u001b[2J', '\u0000', '\u200b', '\u2060\u00ad', '\u202e'])(
    'a name is not %j, and the message names the field',
    async (title) => {
      expect((await ada.patch(`/recordings/${meeting.id}`, { title })).body.error).toEqual({
        code: 'VALIDATION_ERROR',
        message: 'title: must be a string of 1 to 500 characters after trimming, without control characters',
      });
      const file = { recordings: [recording('Ada', { title })] };
      await expect(service.import(file)).rejects.toThrow('recordings[0].title: must ');
    },
  );

  it('a title on two lines is one on one line', async () => {
    expect(
      (await ada.patch(`/recordings/${meeting.id}`, { title: 'Weekly\u2028sync\r\nof\tall' })).status,
    ).toBe(200);
    expect((await dataOf(`/recordings/${meeting.id}`)).title).toBe('Weekly sync of all');
  });
});
