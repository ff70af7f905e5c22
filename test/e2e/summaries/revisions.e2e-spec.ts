import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, transcript, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { changesOf } from '../../support/changes.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created } from '../../support/uploads.js';

const NOW = '2026-03-02T10:00:00.000Z';
const TOPICS = [
  { title: 'Launch', start: 3, keyPoints: [{ point: 'In March', start: 4, details: ['12th'] }] },
];

describe('the revisions of a summary', () => {
  let service: TestService;
  let ada: Client;
  let edith: Client;
  const [adaUser, edithUser] = [user('Ada'), user('Edith')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Edith', 'ADMIN')] });

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [adaUser, edithUser], organizations: [acme] });
    [ada, edith] = [service.api.as(keyOf('Ada')), service.api.as(keyOf('Edith'))];
  });
  afterAll(() => service.stop());

  const put = (id: string, content: string, topics: object[] = [], api = ada): Promise<Reply> =>
    api.request('PUT', `/recordings/${id}/summary`, { body: { content, topics } });
  const at = (id: string, rest = ''): string => `/recordings/${id}/summary/revisions${rest}`;
  const list = async (id: string) => (await ada.get(at(id))).body.data;
  const numbers = async (id: string): Promise<number[]> =>
    (await list(id)).map(({ revision }: { revision: number }) => revision);
  const restore = (id: string, revision: unknown, ifMatch?: string): Promise<Reply> =>
    ada.request('POST', at(id, `/${revision}/restore`), {
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  const summaryOf = async (id: string) => (await ada.get(`/recordings/${id}/summary`)).body.data;
  const found = async (word: string): Promise<string[]> =>
    (await ada.get(`/recordings/search?q=${word}`)).body.data.map((item: { id: string }) => item.id);

  async function meeting(content = 'First'): Promise<string> {
    const { id } = await created(ada, { media: 'none', organization_id: acme.id });
    expect((await put(id, content, TOPICS)).status).toBe(200);
    return id;
  }

  it('lists what wrote each of them, who and when, newest first', async () => {
    service.setNow(new Date(NOW));
    const id = await meeting();
    await put(id, 'Second', [], edith);
    await restore(id, 1);
    service.setNow(null);
    const [adaNamed, edithNamed] = [adaUser, edithUser].map(({ id: own, name }) => ({ id: own, name }));
    expect(await list(id)).toEqual([
      { revision: 3, cause: 'restore', createdAt: NOW, createdBy: adaNamed, current: true },
      { revision: 2, cause: 'import', createdAt: NOW, createdBy: edithNamed, current: false },
      { revision: 1, cause: 'import', createdAt: NOW, createdBy: adaNamed, current: false },
    ]);
  });

  it('is an empty list before the first summary', async () => {
    const { id } = await created(ada, { media: 'none' });
    expect(await list(id)).toEqual([]);
    expect((await restore(id, 1)).status).toBe(404);
  });

  it('can be read, the current one too', async () => {
    const id = await meeting();
    await put(id, 'Second');
    const read = async (revision: number) => (await ada.get(at(id, `/${revision}`))).body.data;
    expect(await read(1)).toMatchObject({ revision: 1, current: false, content: 'First', topics: TOPICS });
    expect(await read(2)).toMatchObject({ revision: 2, current: true, content: 'Second', topics: [] });
  });

  it('restores text, topics, what search finds and what share pages show, and tells as a change does', async () => {
    const id = await meeting('The *marmoset* decides');
    await put(id, 'Nothing');
    expect(await found('marmoset')).toEqual([]);
    const changes = await changesOf(service.dataSource, async () => {
      const restored = await restore(id, 1);
      expect([restored.status, restored.headers.get('etag'), restored.body.data.revision]).toEqual([
        201,
        '"3"',
        3,
      ]);
    });
    expect(changes.map(({ type, details }) => [type, details])).toEqual([
      ['summary.completed', { revision: 3 }],
    ]);
    expect(await summaryOf(id)).toMatchObject({
      revision: 3,
      content: 'The *marmoset* decides',
      topics: TOPICS,
    });
    expect(await found('marmoset')).toEqual([id]);
    const link = (await ada.post(`/recordings/${id}/share-link`)).body.data;
    expect((await service.api.get(`//s/${link.share_token}`)).body).toContain('<em>marmoset</em>');
  });

  it('has no confidence of what was kept before that was estimated, and the others as they were', async () => {
    const id = await meeting();
    const [kept, given] = [
      {
        decisions: [{ text: 'Ship it', confidence: null }],
        actionItems: [{ text: 'Call', confidence: null }],
      },
      { decisions: [{ text: 'Stop', confidence: 0.7 }], actionItems: [{ text: 'Pay', confidence: 0.2 }] },
    ];
    for (const body of [kept, given, { content: 'Third' }])
      await ada.request('PUT', `/recordings/${id}/summary`, { body });
    const without = (column: string) =>
      `${column} = (SELECT json_agg(one::jsonb - 'confidence') FROM json_array_elements(${column}) AS one)`;
    await service.dataSource.query(
      `UPDATE summary_revisions SET ${without('decisions')}, ${without('action_items')} WHERE recording_id = $1 AND revision = 2`,
      [id],
    );
    for (const [revision, expected] of [
      [2, kept],
      [3, given],
    ] as const) {
      expect((await ada.get(at(id, `/${revision}`))).body.data).toMatchObject(expected);
      expect((await restore(id, revision)).status).toBe(201);
      expect(await summaryOf(id)).toMatchObject(expected);
    }
  });

  it('a summary written by hand can be restored after one was generated over it', async () => {
    const owned = recording('Ada', {
      transcript: transcript(3),
      summary: { content: 'By hand', topics: [] },
    });
    await service.import({ recordings: [owned] });
    expect((await ada.post(`/recordings/${owned.id}/summary`)).status).toBe(202);
    await eventually(async () => expect((await summaryOf(owned.id)).status).toBe('completed'));
    expect((await summaryOf(owned.id)).content).not.toBe('By hand');
    // The status is a change too: numbers have gaps.
    expect(await list(owned.id)).toMatchObject([
      { revision: 3, cause: 'generation', createdBy: null },
      { revision: 1, cause: 'import', createdBy: null },
    ]);
    await restore(owned.id, 1);
    expect((await summaryOf(owned.id)).content).toBe('By hand');
  });

  it('one that is being generated is dropped by a restore', async () => {
    const owned = recording('Ada', {
      transcript: transcript(3),
      summary: { content: 'By hand', topics: [] },
    });
    await service.import({ recordings: [owned] });
    const start = `UPDATE summaries SET status = 'processing', attempt_id = gen_random_uuid(), revision = 2 WHERE recording_id = $1`;
    await service.dataSource.query(start, [owned.id]);
    expect((await restore(owned.id, 1, '"2"')).body.data.revision).toBe(3);
    expect(await summaryOf(owned.id)).toMatchObject({ status: 'completed', revision: 3, content: 'By hand' });
    const attempt = 'SELECT attempt_id FROM summaries WHERE recording_id = $1';
    expect(await service.dataSource.query(attempt, [owned.id])).toEqual([{ attempt_id: null }]);
  });

  it('keeps ten, each of which can be restored, whatever came after it', async () => {
    const id = await meeting('Content 1');
    for (let number = 2; number <= 11; number += 1) await put(id, `Content ${number}`);
    expect(await numbers(id)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect((await restore(id, 1)).body).toEqual(
      refusal('SUMMARY_REVISION_NOT_FOUND', 'The summary has no such revision. The last 10 are kept.'),
    );
    // Each restore makes the then oldest go.
    for (let revision = 2; revision <= 11; revision += 1) {
      expect((await restore(id, revision)).body.data).toMatchObject({ revision: 10 + revision });
      expect((await summaryOf(id)).content).toBe(`Content ${revision}`);
    }
  });

  it('honours If-Match', async () => {
    const id = await meeting();
    await put(id, 'Second');
    expect((await restore(id, 1, '"1"')).body).toEqual(
      refusal(
        'PRECONDITION_FAILED',
        'If-Match: the current revision is 2; read the resource again and retry the change.',
      ),
    );
  });

  it.each(['9', 'first', '1%00'])('has no revision %s', async (revision) => {
    const id = await meeting();
    for (const { status, body } of [await restore(id, revision), await ada.get(at(id, `/${revision}`))])
      expect([status, body.error.code]).toEqual([404, 'SUMMARY_REVISION_NOT_FOUND']);
    expect(await numbers(id)).toEqual([1]);
  });

  it('concurrent imports and restores are serialized, and all revisions stay whole', async () => {
    const id = await meeting();
    const results = await Promise.all([
      restore(id, 1),
      put(id, 'Beside', [], edith),
      restore(id, 1),
      put(id, 'Again'),
    ]);
    expect(results.map(({ status }) => status)).toEqual([201, 200, 201, 200]);
    expect(await numbers(id)).toEqual([5, 4, 3, 2, 1]);
    const contents = await Promise.all([1, 2, 3, 4, 5].map((one) => ada.get(at(id, `/${one}`))));
    expect(contents.map(({ body }) => body.data.content).toSorted()).toEqual([
      'Again',
      'Beside',
      'First',
      'First',
      'First',
    ]);
  });

  it('go with the recording, and stay without their author', async () => {
    const id = await meeting();
    await put(id, 'Second', [], edith);
    await service.dataSource.query('DELETE FROM users WHERE id = $1', [edithUser.id]);
    expect(await list(id)).toMatchObject([{ createdBy: null }, { createdBy: { name: 'Ada' } }]);
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    const count = 'SELECT count(*)::int AS n FROM summary_revisions WHERE recording_id = $1';
    expect(await service.dataSource.query(count, [id])).toEqual([{ n: 0 }]);
  });
});
