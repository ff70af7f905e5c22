import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const EMOJI = '😀';
const ESCAPED_EMOJI = '\\ud83d\\ude00';
const CREATED = '2026-03-01T09:00:00.000Z';

function expectDone({ status, body }: Reply): void {
  expect(body).toEqual({ data: { success: true } });
  expect(status).toBe(200);
}

describe('PATCH /recordings/:id', () => {
  let service: TestService;
  let ada: Client;
  const own = recording('Ada', { title: 'Before', notes: 'before', createdAt: CREATED });
  const untouched = recording('Ada', { title: 'Before', notes: 'before', createdAt: CREATED });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [own, untouched] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const patch = (body: unknown, headers?: Record<string, string>): Promise<Reply> =>
    ada.patch(`/recordings/${own.id}`, body, { headers });

  const read = async (id = own.id): Promise<{ title: string; notes: string; updatedAt: string }> =>
    (await ada.get(`/recordings/${id}`)).body.data;

  it.each([
    ['500 characters outside the Basic Multilingual Plane', EMOJI.repeat(500), EMOJI.repeat(500)],
    [
      '500 characters and surrounding whitespace, which is trimmed',
      `\t ${'x'.repeat(500)} \n`,
      'x'.repeat(500),
    ],
    ['markup, which is stored as is', `<b>'";--</b>`, `<b>'";--</b>`],
  ])('accepts a title of %s', async (_, title, kept) => {
    expectDone(await patch({ title }));
    expect((await read()).title).toBe(kept);
    const { body } = await ada.get('/recordings');
    expect(body.data.map((item: { title: string }) => item.title)).toContain(kept);
  });

  it('keeps the notes when only the title is given, and vice versa', async () => {
    expectDone(await patch({ title: 'First', notes: 'first' }));
    expectDone(await patch({ title: 'Second' }));
    expect(await read()).toMatchObject({ title: 'Second', notes: 'first' });
    expectDone(await patch({ notes: 'third' }));
    expect(await read()).toMatchObject({ title: 'Second', notes: 'third' });
  });

  it.each([
    ['as is, with surrounding whitespace', '  two\n\nlines\t '],
    ['of 100,000 characters outside the Basic Multilingual Plane', EMOJI.repeat(100_000)],
  ])('keeps notes %s', async (_, notes) => {
    expectDone(await patch({ notes }));
    expect((await read()).notes).toBe(notes);
  });

  it('accepts 100,000 characters of notes however JSON escapes them', async () => {
    expectDone(await patch(`{"notes":"${ESCAPED_EMOJI.repeat(100_000)}"}`));
    expect((await read()).notes).toBe(EMOJI.repeat(100_000));
  });

  it('refuses 100,001 characters of notes with 400, however JSON escapes them', async () => {
    for (const character of ['x', EMOJI, ESCAPED_EMOJI]) {
      const { status, body } = await patch(`{"notes":"${character.repeat(100_001)}"}`);
      expect(status).toBe(400);
      expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringMatching(/notes.*100,000/)));
    }
  });

  it('clears the notes when they are empty', async () => {
    expectDone(await patch({ notes: '' }));
    expect((await read()).notes).toBe('');
  });

  it('changes updatedAt but not createdAt', async () => {
    service.setNow(new Date('2026-04-01T08:00:00.007Z'));
    expectDone(await patch({ notes: 'later' }));
    service.setNow(null);
    expect(await read()).toMatchObject({ createdAt: CREATED, updatedAt: '2026-04-01T08:00:00.007Z' });
  });

  it.each([
    ['an empty title', { title: '' }, 'title'],
    ['a title of 501 characters outside the Basic Multilingual Plane', { title: EMOJI.repeat(501) }, 'title'],
    ['null notes', { notes: null }, 'notes'],
    ['a list', { title: ['After'] }, 'title'],
    ['a NUL character in the title', { title: 'a\0b' }, 'title'],
    ['an unpaired high surrogate', '{"title":"a\\ud83d"}', 'title'],
    ['no field', {}, 'title'],
    ['an unknown field next to a known one', { title: 'After', folderId: null }, 'folderId'],
    ['a field that cannot be changed', { title: 'After', progress: 1 }, 'progress'],
    ['a status that a client cannot report', { title: 'After', status: 'COMPLETED' }, 'status'],
    ['a list as body', [{ title: 'After' }], 'body'],
    ['truncated JSON', '{"title":"After"', 'JSON'],
    ['bytes that are not UTF-8', Buffer.from('7b227469746c65223a22ff227d', 'hex'), 'UTF-8'],
  ])('refuses %s and changes nothing', async (_, body, named) => {
    const reply = await ada.patch(`/recordings/${untouched.id}`, body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(named)));
    expect(reply.body.error.message.length).toBeLessThan(1_000);
    expect(await read(untouched.id)).toMatchObject({ title: 'Before', notes: 'before', updatedAt: CREATED });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded'])(
    'refuses a body of type %s with 415',
    async (type) => {
      const { status, body } = await patch('{"title":"After"}', { 'content-type': type });
      expect(status).toBe(415);
      expect(body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE'));
    },
  );

  it('accepts a body of a type in another spelling', async () => {
    expectDone(await patch('{"title":"Grüße"}', { 'content-type': 'APPLICATION/JSON;charset="UTF-8"' }));
    expect((await read()).title).toBe('Grüße');
  });

  it.each([
    ['another character set', { 'content-type': 'application/json; charset=utf-16' }],
    ['an unknown encoding', { 'content-encoding': 'compress' }],
  ])('refuses %s with 415', async (_, headers) => {
    expect((await patch('{"title":"After"}', headers)).body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE'));
  });

  it('accepts a gzip body, and refuses an invalid one', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expectDone(await patch(gzipSync('{"title":"Packed"}'), headers));
    expect((await read()).title).toBe('Packed');
    const { status, body } = await patch('{"title":"x"}', headers);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR'));
  });
});
