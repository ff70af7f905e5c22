import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const board = folder('Board');
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Vera', 'VIEWER', { viewAllRecordings: true })],
  folders: [board],
});

describe('If-Match', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Vera'), user('Eve')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  async function created(fields: object = {}): Promise<{ id: string; etag: string }> {
    const { headers, body } = await ada.post('/recordings', { title: 'Sync', media: 'none', ...fields });
    return { id: body.data.id, etag: headers.get('etag') ?? '' };
  }

  const read = (id: string, headers: Record<string, string> = {}): Promise<Reply> =>
    ada.get(`/recordings/${id}`, { headers });
  const etagOf = async (id: string): Promise<string> => (await read(id)).headers.get('etag') ?? '';
  const patch = (id: string, etag: string, body: object, api = ada): Promise<Reply> =>
    api.patch(`/recordings/${id}`, body, { headers: { 'if-match': etag } });
  const remove = (id: string, etag: string, api = ada): Promise<Reply> =>
    api.delete(`/recordings/${id}`, { headers: { 'if-match': etag } });

  describe('the ETag of a recording', () => {
    it('is its revision, the same for all who read it and at all times', async () => {
      const { id, etag } = await created({ organization_id: acme.id });
      service.setNow(new Date(Date.now() + 3_600_000));
      const replies = await Promise.all(
        ['Ada', 'Vera'].map((name) => service.api.as(keyOf(name)).get(`/recordings/${id}`)),
      );
      service.setNow(null);
      for (const { headers, body } of replies) {
        expect(headers.get('etag')).toBe(etag);
        expect(headers.get('etag')).toBe(`"${body.data.revision}"`);
      }
    });

    it.each([
      ['title', { title: 'Renamed' }],
      ['notes', { notes: 'New' }],
      ['folder', { folder_id: board.id }],
      ['organization', { organization_id: null }],
    ])('changes with the %s', async (_, change) => {
      const { id, etag } = await created({ organization_id: acme.id });
      expect((await patch(id, etag, change)).status).toBe(200);
      expect(await etagOf(id)).not.toBe(etag);
    });

    it('differs after every change, also of two within a millisecond', async () => {
      service.setNow(new Date());
      const { id, etag } = await created();
      const seen = new Set([etag]);
      for (const title of ['a', 'b', 'a', 'b', 'a']) {
        expect((await patch(id, await etagOf(id), { title })).status).toBe(200);
        seen.add(await etagOf(id));
      }
      service.setNow(null);
      expect(seen.size).toBe(6);
    });

    it('stays the same when nothing is changed, or only the transcript, which has a revision of its own', async () => {
      const { id, etag } = await created();
      await ada.patch(`/recordings/${id}`, { title: 'Sync' });
      const body = { segments: [{ start: 0, end: 1, text: 'Hello' }] };
      expect((await ada.request('PUT', `/recordings/${id}/transcript`, { body })).status).toBe(200);
      expect(await etagOf(id)).toBe(etag);
    });

    it('never makes a read 304: media URLs and more change without it', async () => {
      const { id, etag } = await created();
      for (const tag of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
        const { status, body } = await read(id, { 'if-none-match': tag });
        expect([tag, status, body.data.id]).toEqual([tag, 200, id]);
      }
    });
  });

  it('with the current revision, changes and deletes', async () => {
    const { id, etag } = await created();
    expect((await patch(id, etag, { title: 'Renamed' })).body.data).toEqual({ success: true });
    expect((await remove(id, await etagOf(id))).body.data).toEqual({ success: true });
    expect((await read(id)).status).toBe(404);
  });

  it.each([
    ['an older revision', (etag: string) => etag],
    ['a weak tag of the current one', (_: string, current: string) => `W/${current}`],
    ['another text', () => '"abc"'],
  ])('with %s, refuses and changes nothing', async (_, tagOf) => {
    const { id, etag } = await created();
    await ada.patch(`/recordings/${id}`, { title: 'By somebody else' });
    const current = await etagOf(id);
    const message = `If-Match: the current revision is ${current.slice(1, -1)}; read the resource again and retry the change.`;
    for (const send of [
      () => patch(id, tagOf(etag, current), { title: 'Mine' }),
      () => patch(id, tagOf(etag, current), { organization_id: acme.id }),
      () => remove(id, tagOf(etag, current)),
    ]) {
      const { status, body } = await send();
      expect([status, body]).toEqual([412, refusal('PRECONDITION_FAILED', message)]);
    }
    const { headers, body } = await read(id);
    expect(headers.get('etag')).toBe(current);
    expect(body.data).toMatchObject({ title: 'By somebody else', organizationId: null });
  });

  it.each([
    ['*', () => '*'],
    ['a list with the current revision', (current: string) => `"0", W/"7",${current}`],
    ['an older revision without the header', () => null],
  ])('with %s, changes', async (_, tagOf) => {
    const { id } = await created();
    await ada.patch(`/recordings/${id}`, { title: 'By somebody else' });
    const tag = tagOf(await etagOf(id));
    const headers: Record<string, string> = tag === null ? {} : { 'if-match': tag };
    expect((await ada.patch(`/recordings/${id}`, { title: 'Mine' }, { headers })).status).toBe(200);
    expect((await read(id)).body.data.title).toBe('Mine');
  });

  it.each(['3', '"1", 2', ''])('rejects %j, which is no tag', async (tag) => {
    const { id } = await created();
    for (const { status, body } of [await patch(id, tag, { title: 'Mine' }), await remove(id, tag)]) {
      const message = 'If-Match: must be a quoted revision, such as "3", or *';
      expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', message)]);
    }
    expect((await read(id)).body.data.title).toBe('Sync');
  });

  it('does not tell those who may not change it, or not see it, its revision', async () => {
    const { id } = await created({ organization_id: acme.id });
    const vera = service.api.as(keyOf('Vera'));
    const eve = service.api.as(keyOf('Eve'));
    expect((await patch(id, '"0"', { title: 'x' }, vera)).body).toEqual(refusal('FORBIDDEN'));
    expect((await remove(id, '"0"', vera)).body).toEqual(refusal('FORBIDDEN'));
    expect((await patch(id, '"0"', { folder_id: null }, eve)).body).toEqual(refusal('RECORDING_NOT_FOUND'));
    expect((await remove(id, '"0"', eve)).body).toEqual(refusal('RECORDING_NOT_FOUND'));
  });

  it('lets one of several changes at once win, and nobody overwrite it', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, etag } = await created();
      const titles = Array.from({ length: 6 }, (_, number) => `Title ${number}`);
      const replies = await Promise.all(titles.map((title) => patch(id, etag, { title })));
      const won = titles.find((_, number) => replies[number]?.status === 200);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(412)]);
      expect((await read(id)).body.data.title).toBe(won);
    }
  });

  it('lets a deletion or a change at once win, never both', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, etag } = await created();
      const [changed, removed] = await Promise.all([patch(id, etag, { title: 'Mine' }), remove(id, etag)]);
      const outcome = [changed.status, removed.status];
      expect([
        [200, 412],
        [404, 200],
      ]).toContainEqual(outcome);
    }
  });
});
