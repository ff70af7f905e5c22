import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  folder,
  keyOf,
  member,
  organization,
  recording,
  transcript,
  user,
} from '../../factories/workspace.js';
import { saying } from '../../support/found.js';
import { connectMcp, type McpAgent } from '../../support/mcp.js';
import { startService, type TestService } from '../../support/service.js';

const summary = {
  content: '## Decisions\n\n- Hire 14 mechanics',
  topics: [
    {
      title: 'Staff',
      start: 0,
      keyPoints: [{ point: 'Grace wants 14 mechanics', start: 10, details: ['Before the winter'] }],
    },
  ],
  decisions: [{ text: 'Hire 14 mechanics', start: 10, confidence: 0.6 }],
  actionItems: [
    { text: 'Write the advertisement', owner: 'Grace', due: 'by Friday', start: 10, confidence: 0.45 },
    { text: 'Ask the bank' },
  ],
};
const board = folder('Board');
const zoo = organization('Zoo', {
  members: [member('Ada', 'OWNER'), member('Bob', 'VIEWER')],
  folders: [board],
});
const depot = recording('Ada', {
  title: 'Depot',
  createdAt: '2026-02-10T23:30:00.000Z',
  notes: 'Bring the plan.',
  transcript: saying(
    'en',
    ['Ada', 'How many people does the depot need?'],
    ['Grace', 'The depot needs 14 mechanics before the winter.'],
  ),
  summary,
});
const long = recording('Ada', {
  title: 'Long',
  createdAt: '2026-01-10T10:00:00.000Z',
  organization: 'Zoo',
  folder: 'Board',
  transcript: transcript(500),
});

describe('the tools of the MCP server', () => {
  let service: TestService;
  let agent: McpAgent;
  let shareUrl: string;
  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Bob')],
      organizations: [zoo],
      recordings: [depot, long],
    });
    agent = await connectMcp(service.api.base, keyOf('Ada'));
    const { body } = await service.api.as(keyOf('Ada')).post(`/recordings/${depot.id}/share-link`, {});
    shareUrl = body.data.share_url;
  });
  afterAll(async () => {
    await agent.client.close();
    await service.stop();
  });

  const of = (one: { id: string }) => ({ recording_id: one.id });

  it('answer what was decided, with a link to the moment', async () => {
    const about = { question: 'How many mechanics does the depot need?' };
    for (const input of [about, { ...about, ...of(depot) }]) {
      const { answer, generated, citations } = await agent.output('ask', input);
      expect([answer, generated]).toEqual([expect.stringContaining('14 mechanics'), false]);
      expect(citations).toContainEqual({
        recording_id: depot.id,
        title: 'Depot',
        start_seconds: 10,
        speaker: 'Grace',
        quote: 'The depot needs 14 mechanics before the winter.',
        url: `${shareUrl}#t=10`,
      });
    }
    expect(await agent.text('ask', about)).toContain(
      `Depot [0:10] Grace: The depot needs 14 mechanics before the winter. ${shareUrl}#t=10`,
    );
    const narrowed = { ...about, speaker: 'Ada', organization_id: zoo.id };
    expect((await agent.output('ask', narrowed)).citations).toEqual([]);
  });

  it('list recordings by title, place and date in the time zone of the user, page by page', async () => {
    const ids = async (input: object) => {
      const { recordings } = await agent.output('list_recordings', input);
      return recordings.map((found: { recording_id: string }) => found.recording_id);
    };
    expect(await ids({})).toEqual([depot.id, long.id]);
    expect(await ids({ title: 'dep' })).toEqual([depot.id]);
    expect(await ids({ organization_id: zoo.id, folder_id: board.id })).toEqual([long.id]);
    const day = (date: string, time_zone: string) => ids({ date_from: date, date_to: date, time_zone });
    expect(await day('2026-02-10', 'UTC')).toEqual([depot.id]);
    expect(await day('2026-02-11', 'Europe/Berlin')).toEqual([depot.id]);
    expect(await day('2026-02-10', 'Europe/Berlin')).toEqual([]);
    const first = await agent.output('list_recordings', { limit: 1 });
    expect([first.total, first.recordings.length]).toEqual([2, 1]);
    expect(await ids({ limit: 1, cursor: first.next_cursor })).toEqual([long.id]);
    expect(await agent.text('list_recordings', { limit: 1 })).toMatch(
      new RegExp(`call the tool again with cursor ${first.next_cursor}\\.$`),
    );
  });

  it('search, with what matches as text and the moment', async () => {
    const { results, total } = await agent.output('search_recordings', { query: 'mechanics winter' });
    expect([total, results[0].recording_id]).toEqual([1, depot.id]);
    expect(results[0].matches).toContainEqual({
      source: 'transcript',
      start_seconds: 10,
      speaker: 'Grace',
      snippet: 'The depot needs 14 mechanics before the winter.',
      url: `${shareUrl}#t=10`,
    });
    const similar = await agent.output('search_recordings', { query: 'mechanicz' });
    expect(similar.searched_instead).toBe('mechanics');
  });

  it('return a recording, its summary and its topics', async () => {
    expect(await agent.output('get_recording', of(depot))).toMatchObject({
      title: 'Depot',
      notes: 'Bring the plan.',
      transcript: { status: 'completed', language: 'en', speakers: ['Ada', 'Grace'] },
      summary: { status: 'completed', markdown: summary.content },
      share_url: shareUrl,
      can: expect.arrayContaining(['canShare', 'canAskQuestions']),
    });
    expect(await agent.output('get_summary', of(depot))).toMatchObject({
      markdown: summary.content,
      topics: [
        {
          title: 'Staff',
          start_seconds: 0,
          key_points: [
            {
              point: 'Grace wants 14 mechanics',
              start_seconds: 10,
              url: `${shareUrl}#t=10`,
              details: ['Before the winter'],
            },
          ],
        },
      ],
    });
    expect(await agent.text('get_summary', of(depot))).toContain(
      `- [0:10] Grace wants 14 mechanics ${shareUrl}#t=10`,
    );
  });

  it('list action items of all meetings, and change them', async () => {
    const { decisions, action_items: items } = await agent.output('get_summary', of(depot));
    const moment = { start_seconds: 10, url: `${shareUrl}#t=10` };
    const [first, second] = [
      {
        text: 'Write the advertisement',
        owner: 'Grace',
        due: 'by Friday',
        due_date: '2026-02-13',
        confidence: 0.45,
        done: false,
        ...moment,
      },
      {
        text: 'Ask the bank',
        owner: null,
        due: null,
        due_date: null,
        confidence: null,
        done: false,
        start_seconds: null,
        url: null,
      },
    ];
    expect(decisions).toEqual([{ text: 'Hire 14 mechanics', confidence: 0.6, ...moment }]);
    expect(items).toMatchObject([first, second]);
    const text = await agent.text('get_summary', of(depot));
    expect(text).toContain(`Decisions:\n- [0:10] Hire 14 mechanics ${shareUrl}#t=10`);
    const [{ action_item_id: id }, { action_item_id: other }] = items;
    const all = await agent.output('list_action_items', {});
    expect(all.action_items).toHaveLength(2);
    expect(all.action_items).toContainEqual({
      ...first,
      action_item_id: id,
      recording_id: depot.id,
      recording_title: 'Depot',
      recording_created_at: '2026-02-10T23:30:00.000Z',
    });
    const change = { ...of(depot), action_item_id: other };
    expect(await agent.text('update_action_item', { ...change, done: true, owner: 'Linus' })).toContain(
      `- [x] Linus: Ask the bank action_item_id ${other}`,
    );
    expect(await agent.output('update_action_item', { ...change, due_date: '2026-02-28' })).toMatchObject({
      due_date: '2026-02-28',
    });
    const ids = async (input: object) =>
      (await agent.output('list_action_items', input)).action_items.map(
        (item: { action_item_id: string }) => item.action_item_id,
      );
    expect(await ids({ done: true })).toEqual([other]);
    expect(await ids({ done: false, owner: 'GRACE' })).toEqual([id]);
    expect(await ids({ organization_id: zoo.id })).toEqual([]);
    const page = await agent.output('list_action_items', { limit: 1 });
    expect(await ids({ limit: 1, cursor: page.next_cursor })).toHaveLength(1);
    const nothing = await agent.call('update_action_item', change);
    expect(nothing.isError).toBe(true);
    expect(await agent.text('list_action_items', { owner: 'Grace' })).toContain(
      `- [ ] [0:10] Grace: Write the advertisement (due: by Friday, 2026-02-13) ${shareUrl}#t=10 action_item_id ${id} in "Depot", 2026-02-10, recording_id ${depot.id}`,
    );
  });

  describe('return a transcript', () => {
    interface Page {
      readonly segments: readonly { readonly id: number; readonly text: string }[];
      readonly next_segment: number | null;
    }
    const read = (input: object): Promise<Page> => agent.output('get_transcript', { ...of(long), ...input });
    const idsOf = ({ segments }: Page): number[] => segments.map(({ id }) => id);

    it('as a whole, in parts of a number of characters', async () => {
      const ids: number[] = [];
      let next: number | null = 0;
      let parts = 0;
      while (next !== null) {
        const part: Page = await read({ from_segment: next, max_characters: 1_000 });
        const characters = part.segments.map(({ text }) => text).join('').length;
        expect(characters).toBeLessThanOrEqual(1_000);
        ids.push(...idsOf(part));
        next = part.next_segment;
        parts += 1;
      }
      expect(ids).toEqual(Array.from({ length: 500 }, (_, index) => index));
      expect(parts).toBeGreaterThan(10);
      expect(idsOf(await read({ max_characters: 100_000 }))).toHaveLength(500);
    });

    it('around a moment: from what is being said then, to what begins later', async () => {
      // Segments begin every two seconds, and last one and a half.
      expect(idsOf(await read({ from_seconds: 601, to_seconds: 605 }))).toEqual([300, 301, 302]);
      expect(idsOf(await read({ from_seconds: 601.6, to_seconds: 604 }))).toEqual([301]);
      expect(idsOf(await read({ from_seconds: 998 }))).toEqual([499]);
      expect(idsOf(await read({ from_seconds: 5_000 }))).toEqual([]);
      expect(idsOf(await read({ from_seconds: 0, to_seconds: 3 }))).toEqual([0, 1]);
    });

    it('as lines, with where to continue', async () => {
      const text = await agent.text('get_transcript', {
        ...of(long),
        from_seconds: 60,
        max_characters: 1_000,
      });
      expect(text).toMatch(/^\[1:00\] Ada: Sentence 30\n\[1:02\] Grace: Sentence 31$/m);
      expect(text).toMatch(/There is more: call get_transcript with from_segment \d+\.$/);
    });

    it('that there is none of', async () => {
      const { body } = await service.api
        .as(keyOf('Ada'))
        .post('/recordings', { title: 'Silent', media: 'none' });
      const text = await agent.text('get_transcript', of(body.data));
      expect(text).toContain('No segments; the transcript is not_started.');
      await service.api.as(keyOf('Ada')).delete(`/recordings/${body.data.id}`);
    });
  });

  it('list organizations, folders, members and share links', async () => {
    expect((await agent.output('list_organizations')).organizations).toEqual([
      { id: zoo.id, name: 'Zoo', role: 'OWNER', member_count: 2 },
    ]);
    const inZoo = { organization_id: zoo.id };
    expect((await agent.output('list_folders', inZoo)).folders).toEqual([
      { id: board.id, name: 'Board', is_restricted: false },
    ]);
    const { members } = await agent.output('list_members', { ...inZoo, search: 'bob' });
    expect(members).toMatchObject([{ name: 'Bob', email: 'bob@acme.test', role: 'VIEWER' }]);
    expect((await agent.output('list_share_links', of(depot))).links).toMatchObject([
      { share_url: shareUrl, permission: 'view', has_password: false },
    ]);
  });

  it('change titles, notes and speakers, share, and add recordings', async () => {
    const { body } = await service.api
      .as(keyOf('Ada'))
      .post('/recordings', { title: 'Draft', media: 'none' });
    const draft = { recording_id: body.data.id };
    await service.api.as(keyOf('Ada')).request('PUT', `/recordings/${body.data.id}/transcript`, {
      body: saying('en', ['Speaker 1', 'Hello.']),
    });
    await agent.output('update_recording', { ...draft, title: ' Final ', notes: 'Read it.' });
    const renames = [{ from: 'Speaker 1', to: 'Linus' }];
    expect(await agent.output('rename_speakers', { ...draft, renames })).toMatchObject({
      speakers: ['Linus'],
    });
    expect(await agent.output('get_recording', draft)).toMatchObject({
      title: 'Final',
      notes: 'Read it.',
      transcript: { speakers: ['Linus'] },
      share_url: null,
    });
    const plain = await agent.output('create_share_link', draft);
    expect(await agent.text('create_share_link', draft)).toBe(`${plain.share_url} (view, does not expire)`);
    expect(await agent.output('create_share_link', draft)).toEqual(plain);
    const expires_at = '2999-01-01T00:00:00+01:00';
    const separate = await agent.output('create_share_link', {
      ...draft,
      expires_at,
      permission: 'download',
    });
    expect(separate).toMatchObject({ permission: 'download', expires_at: '2998-12-31T23:00:00.000Z' });
    expect((await agent.output('get_recording', draft)).share_url).not.toBeNull();
    const added = await agent.output('add_recording', {
      source_url: 'https://files.example.com/meeting.mp4',
      title: 'Fetched',
      organization_id: zoo.id,
      folder_id: board.id,
    });
    const { data } = (await service.api.as(keyOf('Ada')).get(`/recordings/${added.recording_id}`)).body;
    expect([data.title, data.organizationId, data.folderId]).toEqual(['Fetched', zoo.id, board.id]);
  });

  it('link to no moment where the only links have a password or have expired', async () => {
    const { body } = await service.api.as(keyOf('Ada')).post('/recordings', { title: 'Safe', media: 'none' });
    const path = `/recordings/${body.data.id}/share-link`;
    await service.api.as(keyOf('Ada')).post(path, { password: 'correct horse' });
    await service.api.as(keyOf('Ada')).post(path, { expires_at: '2999-01-01T00:00:00Z' });
    await service.dataSource.query(
      `UPDATE share_links SET expires_at = now() - interval '1 minute' WHERE expires_at > now()`,
    );
    expect((await agent.output('get_recording', of(body.data))).share_url).toBeNull();
  });
});
