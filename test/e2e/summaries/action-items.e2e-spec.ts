import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { changesOf } from '../../support/changes.js';
import { allPublished } from '../../support/events.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created } from '../../support/uploads.js';

/** A Wednesday. */
const MEETING = new Date('2026-02-25T10:00:00.000Z');
/** As they are read: the date follows from the words. */
const ITEMS = [
  {
    text: 'Test the backup of the marmoset cluster',
    owner: 'Ada',
    due: 'by Thursday',
    dueDate: '2026-02-26',
    start: 60,
    segmentIds: [4],
    confidence: 0.62,
  },
  { text: 'Ask the bank', owner: 'Grace', start: 90, segmentIds: [7, 8], confidence: 0.41 },
];
/** As a person has marked it. */
const DONE = { ...ITEMS[0], done: true, confidence: null };
const SUMMARY = {
  content: 'We talked.',
  decisions: [{ text: 'We launch on 12 March', start: 30, segmentIds: [2], confidence: 0.55 }],
  actionItems: [{ ...ITEMS[0], dueDate: undefined }, ITEMS[1]],
};

describe('action items', () => {
  let service: TestService;
  const names = ['Ada', 'Edith', 'Vic', 'Linus'];
  const acme = organization('Acme', {
    members: [
      member('Ada', 'OWNER'),
      member('Edith', 'EDITOR'),
      member('Vic', 'VIEWER', { viewAllRecordings: true }),
    ],
    folders: [folder('Board')],
  });
  let [ada, vic, linus]: Client[] = [];

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    service.setNow(MEETING);
    await service.import({ users: names.map((name) => user(name)), organizations: [acme] });
    [ada, vic, linus] = ['Ada', 'Vic', 'Linus'].map((name) => service.api.as(keyOf(name)));
  });
  afterAll(() => service.stop());

  const put = (id: string, summary: object, api = ada!) =>
    api.request('PUT', `/recordings/${id}/summary`, { body: summary });
  const summaryOf = async (id: string, api = ada!) => (await api.get(`/recordings/${id}/summary`)).body.data;
  const patch = (id: string, item: string, changes: object, api = ada!) =>
    api.patch(`/recordings/${id}/action-items/${item}`, changes);
  const list = async (query = '', api = ada!) => (await api.get(`/action-items${query}`)).body;
  const texts = async (query = '', api = ada!): Promise<string[]> =>
    (await list(query, api)).data.map(({ text }: { text: string }) => text);

  async function meeting(summary: object = SUMMARY, more: object = { organization_id: acme.id }) {
    const { id } = await created(ada!, { media: 'none', ...more });
    expect((await put(id, summary)).status).toBe(200);
    const [first, second] = (await summaryOf(id)).actionItems.map((item: { id: string }) => item.id);
    return { id, first, second };
  }

  it('are changed one by one, which the summary, its ETag, the log and search show', async () => {
    const { id, first, second } = await meeting();
    const before = await ada!.get(`/recordings/${id}/summary`);
    const changes = await changesOf(service.dataSource, async () => {
      const { status, body } = await patch(id, first, {
        done: true,
        owner: null,
        text: ' Check the ocelot ',
      });
      expect([status, body.data]).toEqual([
        200,
        { ...DONE, id: first, text: 'Check the ocelot', owner: null },
      ]);
    });
    expect(changes).toMatchObject([
      {
        type: 'action_item.updated',
        details: { fields: ['text', 'owner', 'done'] },
      },
    ]);
    const after = await ada!.get(`/recordings/${id}/summary`);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.body.data).toMatchObject({
      revision: 2,
      content: 'We talked.',
      actionItems: [
        { id: first, done: true, owner: null },
        { id: second, done: false, owner: 'Grace', confidence: 0.41 },
      ],
    });
    const found = async (word: string) =>
      (await ada!.get(`/recordings/search?q=${word}`)).body.data.map((one: { id: string }) => one.id);
    expect([await found('ocelot'), await found('marmoset')]).toEqual([[id], []]);
    expect(await found('launch')).toContain(id);
  });

  it('stay as they were changed when another summary is generated or restored', async () => {
    const { id, first } = await meeting();
    await patch(id, first, { done: true, text: 'Back up everything' });
    const segments = [
      ['Ada', 'We agreed to run the database migration on Saturday night, when nobody writes to the tables.'],
      ['Cy', 'I will test the backup of the PostgreSQL cluster by Thursday.'],
    ].map(([speaker, text], at) => ({ start: at * 20, end: at * 20 + 19, speaker, text }));
    await ada!.request('PUT', `/recordings/${id}/transcript`, { body: { language: 'en', segments } });
    expect((await ada!.post(`/recordings/${id}/summary`)).status).toBe(202);
    await eventually(async () => expect(await summaryOf(id)).toMatchObject({ status: 'completed' }));
    const summary = await summaryOf(id);
    const changed = summary.actionItems.find((item: { id: string }) => item.id === first);
    expect(changed).toMatchObject({ text: 'Back up everything', owner: 'Ada', done: true, confidence: null });
    expect(summary.actionItems.map(({ text }: { text: string }) => text)).not.toContain('Ask the bank');

    const { data } = (await ada!.get(`/recordings/${id}/summary/revisions/1`)).body;
    expect(data).toMatchObject({
      decisions: SUMMARY.decisions,
      actionItems: [{ id: first, done: true }, ITEMS[1]],
    });
    expect((await ada!.post(`/recordings/${id}/summary/revisions/1/restore`)).status).toBe(201);
    expect(await summaryOf(id)).toMatchObject({
      decisions: SUMMARY.decisions,
      actionItems: [{ id: first, text: 'Back up everything', done: true, confidence: null }, ITEMS[1]],
    });
  });

  it('are replaced by those that a client sends, and left alone if it sends none', async () => {
    const { id, first } = await meeting();
    await patch(id, first, { done: true });
    await put(id, { content: 'Only text' });
    expect((await summaryOf(id)).actionItems).toEqual([{ ...DONE, id: first }]);
    const other = { text: 'Something else' };
    await put(id, { content: 'Text', actionItems: [{ ...ITEMS[0], id: first, done: false }, other] });
    expect((await summaryOf(id)).actionItems).toMatchObject([{ id: first, done: false }, other]);
    await put(id, { content: 'Text', actionItems: [] });
    expect((await summaryOf(id)).actionItems).toEqual([]);
  });

  it('are due on the day that was said at the meeting, or that a client gives', async () => {
    const items = [
      { text: 'One', due: 'd’ici vendredi' },
      { text: 'Two', due: 'by Friday' },
      { text: 'Three', due: 'soon' },
      { text: 'Four', due: 'soon', dueDate: '2026-03-05' },
      { text: 'Five', due: '3 mars', dueDate: null },
    ];
    const { id } = await created(ada!, { media: 'none', title: 'Point', organization_id: acme.id });
    const segments = [{ start: 0, end: 2, speaker: 'Ada', text: 'Bonjour à tous.' }];
    await ada!.request('PUT', `/recordings/${id}/transcript`, { body: { language: 'fr', segments } });
    const dates = async () =>
      (await summaryOf(id)).actionItems.map((item: { dueDate: string | null }) => item.dueDate);
    await put(id, { actionItems: items });
    const said = ['2026-02-27', null, null, '2026-03-05', null];
    expect(await dates()).toEqual(said);
    const { actionItems } = await summaryOf(id);
    await put(id, { content: 'Nothing', actionItems: [] });
    expect((await ada!.post(`/recordings/${id}/summary/revisions/1/restore`)).status).toBe(201);
    expect(await dates()).toEqual(said);
    await put(id, { actionItems });
    expect(await dates()).toEqual(said);

    const first = (await summaryOf(id)).actionItems[0].id;
    const changed = async (changes: object) => (await patch(id, first, changes)).body.data;
    expect(await changed({ due: 'lundi' })).toMatchObject({ due: 'lundi', dueDate: '2026-03-02' });
    expect(await changed({ done: true })).toMatchObject({ due: 'lundi', dueDate: '2026-03-02' });
    const changes = await changesOf(service.dataSource, () => changed({ dueDate: '2026-03-09' }));
    expect(changes).toMatchObject([{ type: 'action_item.updated', details: { fields: ['dueDate'] } }]);
    expect(await changed({ due: 'lundi', dueDate: null })).toMatchObject({ due: 'lundi', dueDate: null });
    expect(await put(id, { actionItems: [{ text: 'Six', dueDate: '2026-13-01' }] })).toMatchObject({
      status: 400,
      body: refusal('VALIDATION_ERROR', expect.stringContaining('actionItems[0].dueDate')),
    });
  });

  it('do not take the id of one of another recording', async () => {
    const [one, two] = [await meeting(), await meeting()];
    await put(two.id, { content: 'x', actionItems: [{ text: 'Mine', id: one.first }] });
    expect((await summaryOf(two.id)).actionItems).toMatchObject([
      { text: 'Mine', id: expect.not.stringMatching(one.first) },
    ]);
    expect((await summaryOf(one.id)).actionItems).toMatchObject([{ id: one.first }, {}]);
  });

  it('can be changed by those who may change the recording, where they belong', async () => {
    const { id, first } = await meeting();
    const other = await meeting();
    expect(await patch(id, first, { done: true }, vic)).toMatchObject({
      status: 403,
      body: refusal('FORBIDDEN'),
    });
    expect(await patch(id, first, { done: true }, linus)).toMatchObject({
      status: 404,
      body: refusal('RECORDING_NOT_FOUND'),
    });
    for (const item of [other.first, 'nonsense', id])
      expect(await patch(id, item, { done: true })).toMatchObject({
        status: 404,
        body: refusal('ACTION_ITEM_NOT_FOUND'),
      });
  });

  it.each([
    [{}, 'at least one of done, text, owner, due, dueDate'],
    [{ done: 'yes' }, 'done'],
    [{ done: null }, 'done'],
    [{ text: '  ' }, 'text'],
    [{ text: 'x'.repeat(1_001) }, 'text'],
    [{ owner: '' }, 'owner'],
    [{ due: 'x'.repeat(201) }, 'due'],
    [{ dueDate: '2026-02-30' }, 'dueDate'],
    [{ dueDate: '2026-02-03T10:00:00Z' }, 'dueDate'],
    [{ start: 3 }, 'start'],
  ])('rejects a change to %j, naming %s', async (changes, name) => {
    const { id, first } = await meeting();
    expect(await patch(id, first, changes)).toMatchObject({
      status: 400,
      body: refusal('VALIDATION_ERROR', expect.stringContaining(name)),
    });
    expect((await summaryOf(id)).revision).toBe(1);
  });

  describe('of all recordings', () => {
    const place = organization('Place', {
      members: [member('Edith', 'OWNER'), member('Vic', 'VIEWER')],
      folders: [folder('Board')],
    });
    let edith: Client;
    let ids: string[];

    beforeAll(async () => {
      edith = service.api.as(keyOf('Edith'));
      await service.import({ organizations: [place] });
      ids = [];
      for (const [day, title] of [
        [1, 'One'],
        [2, 'Two'],
        [3, 'Three'],
      ] as const) {
        service.setNow(new Date(`2026-02-0${day}T10:00:00.000Z`));
        const { id } = await created(edith, { media: 'none', title, organization_id: place.id });
        ids.push(id);
        const items = [1, 2].map((n) => ({
          text: `${title} ${n}`,
          owner: n === 1 ? 'Grace H' : null,
          start: n,
          confidence: 0.3,
        }));
        await put(id, { content: 'x', actionItems: items }, edith);
      }
      service.setNow(null);
      const [first] = (await summaryOf(ids[2]!, edith)).actionItems;
      await patch(ids[2]!, first.id, { done: true }, edith);
    });

    it('come with their meetings, newest first, page by page', async () => {
      const whole = await list('', edith);
      expect(whole.data.map(({ text }: { text: string }) => text)).toEqual([
        'Three 1',
        'Three 2',
        'Two 1',
        'Two 2',
        'One 1',
        'One 2',
      ]);
      expect(whole.data[0]).toMatchObject({
        text: 'Three 1',
        owner: 'Grace H',
        due: null,
        dueDate: null,
        start: 1,
        segmentIds: [],
        confidence: null,
        done: true,
        recording: { id: ids[2], title: 'Three', createdAt: '2026-02-03T10:00:00.000Z' },
      });
      expect(whole.data[1]).toMatchObject({ text: 'Three 2', confidence: 0.3, done: false });
      const paged = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`, edith);
        expect(page.pagination).toMatchObject({ limit: 2, has_more: page.pagination.next_cursor !== null });
        paged.push(...page.data);
        cursor = page.pagination.next_cursor;
      }
      expect(paged).toEqual(whole.data);
    });

    it.each([
      ['done=true', ['Three 1']],
      ['done=false&owner=grace%20h', ['Two 1', 'One 1']],
      ['owner=Grace', []],
      ['date_from=2026-02-02&date_to=2026-02-02', ['Two 1', 'Two 2']],
    ])('pass the filter %s', async (query, expected) => {
      expect(await texts(`?${query}`, edith)).toEqual(expected);
    });

    it('pass those of an organization and a folder', async () => {
      const [board] = place['folders'] as { id: string }[];
      expect(await texts(`?organization_id=${place.id}&done=true`, edith)).toEqual(['Three 1']);
      expect(await texts(`?organization_id=${place.id}&folder_id=${board!.id}`, edith)).toEqual([]);
      await edith.patch(`/recordings/${ids[0]}`, { folder_id: board!.id });
      expect(await texts(`?organization_id=${place.id}&folder_id=${board!.id}`, edith)).toEqual([
        'One 1',
        'One 2',
      ]);
    });

    it('are only those whose summaries the caller can read', async () => {
      expect(await texts('', linus)).toEqual([]);
      // Members like this one see what is in folders.
      const folders = await texts(`?organization_id=${place.id}`, vic);
      expect(folders).toEqual(['One 1', 'One 2']);
      expect(await linus!.get(`/action-items?organization_id=${place.id}`)).toMatchObject({ status: 403 });
      await edith.patch(`/organizations/${place.id}`, { features: { summaries: false } });
      expect(await texts('', edith)).toEqual([]);
      await edith.patch(`/organizations/${place.id}`, { features: { summaries: true } });
      expect(await texts('', edith)).toHaveLength(6);
    });

    it('are not those of locked recordings, or without a subscription', async () => {
      const change = (columns: string) =>
        service.dataSource.query(`UPDATE organizations SET ${columns} WHERE id = $1`, [place.id]);
      const [before] = await service.dataSource.query('SELECT plan FROM organizations WHERE id = $1', [
        place.id,
      ]);
      await change(`plan = 'FREE'`);
      expect(await texts('', edith)).toEqual([]);
      await change(`plan = '${before.plan}', subscription_status = 'expired'`);
      expect(await texts('', edith)).toEqual([]);
      await change(`subscription_status = 'active'`);
      expect(await texts('', edith)).toHaveLength(6);
    });

    it.each(['limit=0', 'limit=101', 'done=maybe', 'owner=', 'cursor=x', 'folder_id=1'])(
      'reject ?%s',
      async (query) => {
        const { status, body } = await edith.get(`/action-items?${query}`);
        expect([status, body]).toEqual([
          400,
          refusal('VALIDATION_ERROR', expect.stringContaining(query.split('=')[0]!)),
        ]);
      },
    );
  });

  it('are in events, for those who can read the summary', async () => {
    service.setNow(MEETING);
    const start = (await ada!.get('/events')).body.pagination.next_cursor;
    const { id, first } = await meeting();
    await patch(id, first, { done: true });
    await allPublished(service);
    const events = async (api: Client, cursor = '') =>
      (
        await api.get(
          `/events?types=summary.*,action_item.*&recording_id=${id}${cursor && `&cursor=${cursor}`}`,
        )
      ).body.data;
    const decisions = SUMMARY.decisions;
    const actionItems = [
      { ...DONE, id: first },
      { ...ITEMS[1], due: null, dueDate: null, done: false, id: expect.any(String) },
    ];
    expect(await events(ada!, start)).toMatchObject([
      { type: 'summary.completed', data: { recording: { id }, summary: { decisions, actionItems } } },
      {
        type: 'action_item.updated',
        data: {
          recording_id: id,
          action_item_id: first,
          changes: { fields: ['done'] },
          action_item: actionItems[0],
        },
      },
    ]);
    await ada!.patch(`/organizations/${acme.id}`, { features: { summaries: false } });
    expect(await events(ada!, start)).toMatchObject([
      { data: { recording: { id }, summary: null } },
      { data: { recording: { id }, action_item: null } },
    ]);
    await ada!.patch(`/organizations/${acme.id}`, { features: { summaries: true } });
  });
});
