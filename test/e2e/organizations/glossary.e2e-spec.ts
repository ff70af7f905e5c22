import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { refusal, type Client } from '../../support/client.js';
import { OpenAiServer } from '../../support/openai-server.js';
import { TranscriptionsRoute } from '../../support/openai-transcriptions.js';
import { settled, upload } from '../../support/packaged.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const TERMS = [
  { term: 'LambdaClass', heard_as: ['lambda glass'] },
  { term: 'Jörg Müller', heard_as: [] },
];

describe('the glossary of an organization', () => {
  let service: TestService;
  let server: OpenAiServer;
  const heard = new TranscriptionsRoute();
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Vic', 'VIEWER')],
  });
  const place = `/organizations/${acme.id}`;
  let [ada, grace, vic, linus]: Client[] = [];

  beforeAll(async () => {
    server = await OpenAiServer.start(heard);
    heard.recognise = () => [{ start: 0, end: 1, text: ' Jorg Muller asks lambda glass and Lambda-Class.' }];
    const settings = { TRANSCRIPTION_URL: server.url, TRANSCRIPTION_MODEL: 'whisper-1' };
    service = await startService(settings, { worker: true });
    const names = ['Ada', 'Grace', 'Vic', 'Linus'];
    await service.import({ users: names.map((name) => user(name)), organizations: [acme] });
    [ada, grace, vic, linus] = names.map((name) => service.api.as(keyOf(name)));
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const firstOf = async (id: string) =>
    (await ada!.get(`/recordings/${id}/transcript`)).body.data.segments?.[0];
  async function transcribed(fields: object): Promise<string> {
    const id = await upload(ada!, await readFile('demo/media/depot-walk-through.mp4'), fields);
    await settled(ada!, id);
    expect((await ada!.post(`/recordings/${id}/transcription`)).status).toBe(202);
    return id;
  }
  const put = (terms: unknown, by = grace!) => by.request('PUT', `${place}/glossary`, { body: { terms } });

  it('is replaced by an OWNER or ADMIN, read by members, and logged when it changes', async () => {
    expect(await vic!.get(`${place}/glossary`)).toMatchObject({ status: 200, body: { data: { terms: [] } } });
    const changes = await changesOf(service.dataSource, async () => {
      const spaced = [{ term: ' LambdaClass ', heard_as: ['lambda glass '] }, { term: 'Jörg Müller' }];
      expect(await put(spaced)).toMatchObject({ status: 200, body: { data: { terms: TERMS } } });
      expect((await put(TERMS, ada)).status).toBe(200);
    });
    expect(changes).toMatchObject([{ type: 'organization.updated', details: { fields: ['glossary'] } }]);
    expect((await vic!.get(`${place}/glossary`)).body.data).toEqual({ terms: TERMS });
    for (const [by, status] of [
      [vic, 403],
      [linus, 403],
    ] as const)
      expect(await put([], by)).toMatchObject({ status, body: refusal('FORBIDDEN') });
    expect((await linus!.get(`${place}/glossary`)).status).toBe(403);
  });

  it.each([
    [undefined, 'terms'],
    ['LambdaClass', 'terms: must be a list'],
    [[{ term: '' }], 'terms[0].term'],
    [[{ term: '...' }], 'terms[0].term: must be text of 1 to 100 characters, with a letter or a digit'],
    [[{ term: 'x'.repeat(101) }], 'terms[0].term'],
    [
      [{ term: 'x', heard_as: ['a', 'b', 'c', 'd', 'e', 'f'] }],
      'terms[0].heard_as: must contain at most 5 items',
    ],
    [[{ term: 'x', spelled: 'y' }], 'spelled'],
    [[{ term: 'GraphQL' }, { term: 'graph-ql' }], 'terms[1].term: has the same letters as terms[0]'],
    [
      [{ term: 'Ada', heard_as: ['Aida'] }, { term: 'Aïda' }],
      'terms[0].heard_as[0]: has the same letters as terms[1]',
    ],
    [
      Array.from({ length: 501 }, (_, index) => ({ term: `t${index}` })),
      'terms: must contain at most 500 terms',
    ],
  ])('refuses %j, naming %s', async (terms, name) => {
    expect(await put(terms)).toMatchObject({
      status: 400,
      body: refusal('VALIDATION_ERROR', expect.stringContaining(name)),
    });
  });

  it('spells the terms in transcripts, and is given to a server that transcribes', async () => {
    await put(TERMS);
    const id = await transcribed({ title: 'Heard', organization_id: acme.id });
    const said = 'Jörg Müller asks LambdaClass and LambdaClass.';
    await eventually(async () => expect(await firstOf(id)).toMatchObject({ text: said }));
    expect(heard.parts.at(-1)?.fields['prompt']).toBe('Glossary: LambdaClass, Jörg Müller.');

    const personal = await transcribed({ title: 'Personal' });
    const unchanged = 'Jorg Muller asks lambda glass and Lambda-Class.';
    await eventually(async () => expect(await firstOf(personal)).toMatchObject({ text: unchanged }));
    expect(heard.parts.at(-1)?.fields).not.toHaveProperty('prompt');
    expect(server.failures).toEqual([]);
  }, 60_000);
});
