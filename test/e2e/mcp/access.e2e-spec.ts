import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { saying } from '../../support/found.js';
import { connectMcp, textOf, type McpAgent } from '../../support/mcp.js';
import { startService, type TestService } from '../../support/service.js';

const CALLERS = ['Owner', 'Admin', 'Editor', 'Viewer', 'Muted', 'Stranger'] as const;
type CallerName = (typeof CALLERS)[number];

const board = folder('Board', { restrictedTo: ['admin@acme.test'] });
const acme = organization('Acme', {
  members: [
    member('Owner', 'OWNER'),
    member('Admin', 'ADMIN'),
    member('Editor', 'EDITOR'),
    member('Viewer', 'VIEWER'),
    member('Muted', 'EDITOR', {
      transcription: false,
      summaries: false,
      sharing: false,
      questions: false,
    }),
  ],
  folders: [folder('Open'), board],
});
/** In a folder that all members may see. */
const seen = recording('Admin', {
  title: 'Seen',
  organization: 'Acme',
  folder: 'Open',
  transcript: saying('en', ['Grace', 'The depot needs 14 mechanics.']),
});
/** OWNER and ADMIN see it, and nobody else. */
const hidden = recording('Admin', {
  title: 'Hidden',
  organization: 'Acme',
  folder: 'Board',
  transcript: saying('en', ['Grace', 'The depot will need more than 20 mechanics next year.']),
});

const IN_ACME = { organization_id: acme.id };
const ON_SEEN = { recording_id: seen.id };
const ALL_MEMBERS = { Owner: 'ok', Admin: 'ok', Editor: 'ok', Viewer: 'ok', Muted: 'ok' } as const;
const ABSENT = 'RECORDING_NOT_FOUND';

/** What each caller gets: `ok`, or the code of the refusal. */
const TABLE: readonly (readonly [tool: string, input: object, Record<CallerName, string>])[] = [
  ['list_recordings', IN_ACME, { ...ALL_MEMBERS, Stranger: 'FORBIDDEN' }],
  ['search_recordings', { ...IN_ACME, query: 'mechanics' }, { ...ALL_MEMBERS, Stranger: 'FORBIDDEN' }],
  ['list_organizations', {}, { ...ALL_MEMBERS, Stranger: 'ok' }],
  ['list_folders', IN_ACME, { ...ALL_MEMBERS, Stranger: 'FORBIDDEN' }],
  ['list_members', IN_ACME, { ...ALL_MEMBERS, Stranger: 'FORBIDDEN' }],
  ['ask', { ...IN_ACME, question: 'How many mechanics?' }, { ...ALL_MEMBERS, Stranger: 'FORBIDDEN' }],
  [
    'ask',
    { ...ON_SEEN, question: 'How many mechanics?' },
    { ...ALL_MEMBERS, Muted: 'TRANSCRIPT_NOT_AVAILABLE', Stranger: ABSENT },
  ],
  ['get_recording', ON_SEEN, { ...ALL_MEMBERS, Stranger: ABSENT }],
  ['get_summary', ON_SEEN, { ...ALL_MEMBERS, Stranger: ABSENT }],
  ['get_transcript', ON_SEEN, { ...ALL_MEMBERS, Muted: 'TRANSCRIPT_NOT_AVAILABLE', Stranger: ABSENT }],
  ['list_action_items', IN_ACME, { ...ALL_MEMBERS, Stranger: 'FORBIDDEN' }],
  ['list_share_links', ON_SEEN, { ...ALL_MEMBERS, Stranger: ABSENT }],
  ['create_share_link', ON_SEEN, { ...ALL_MEMBERS, Muted: 'SHARING_DISABLED', Stranger: ABSENT }],
  [
    'update_recording',
    { ...ON_SEEN, notes: 'Seen' },
    {
      Owner: 'ok',
      Admin: 'ok',
      Editor: 'FORBIDDEN',
      Viewer: 'FORBIDDEN',
      Muted: 'FORBIDDEN',
      Stranger: ABSENT,
    },
  ],
  [
    'update_action_item',
    { ...ON_SEEN, action_item_id: id(), done: true },
    {
      Owner: 'ACTION_ITEM_NOT_FOUND',
      Admin: 'ACTION_ITEM_NOT_FOUND',
      Editor: 'FORBIDDEN',
      Viewer: 'FORBIDDEN',
      Muted: 'FORBIDDEN',
      Stranger: ABSENT,
    },
  ],
  [
    'rename_speakers',
    { ...ON_SEEN, renames: [{ from: 'Grace', to: 'Grace' }] },
    {
      Owner: 'ok',
      Admin: 'ok',
      Editor: 'FORBIDDEN',
      Viewer: 'FORBIDDEN',
      Muted: 'TRANSCRIPT_NOT_AVAILABLE',
      Stranger: ABSENT,
    },
  ],
  [
    'add_recording',
    { ...IN_ACME, title: 'New', source_url: 'https://files.example.com/new.mp4' },
    { ...ALL_MEMBERS, Viewer: 'FORBIDDEN', Stranger: 'FORBIDDEN' },
  ],
];

describe('the tools of the MCP server, by role', () => {
  let service: TestService;
  const agents = new Map<CallerName, McpAgent>();
  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: CALLERS.map((name) => user(name)),
      organizations: [acme],
      recordings: [seen, hidden],
    });
    for (const name of CALLERS) agents.set(name, await connectMcp(service.api.base, keyOf(name)));
  });
  afterAll(async () => {
    for (const { client } of agents.values()) await client.close();
    await service.stop();
  });

  const outcome = async (name: CallerName, tool: string, input: object): Promise<string> => {
    const result = await agents.get(name)!.call(tool, input);
    return result.isError ? textOf(result).split(':')[0]! : 'ok';
  };

  it.each(TABLE)('%s %j', async (tool, input, expected) => {
    const found: [string, string][] = [];
    for (const name of CALLERS) found.push([name, await outcome(name, tool, input)]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('include every tool', async () => {
    const tools = await agents.get('Owner')!.tools();
    expect([...new Set(TABLE.map(([tool]) => tool))].toSorted()).toEqual([...tools].toSorted());
  });

  it('answer for what is hidden exactly as for what does not exist', async () => {
    const unknown = id();
    const rows = TABLE.filter(([, input]) => 'recording_id' in input);
    expect(rows.length).toBeGreaterThan(6);
    for (const name of ['Editor', 'Viewer', 'Stranger'] as const)
      for (const [tool, input] of rows) {
        const [ofHidden, ofUnknown] = [
          await agents.get(name)!.call(tool, { ...input, recording_id: hidden.id }),
          await agents.get(name)!.call(tool, { ...input, recording_id: unknown }),
        ];
        expect([tool, textOf(ofHidden)]).toEqual([tool, expect.stringMatching(/^RECORDING_NOT_FOUND: /)]);
        expect(ofHidden).toEqual(ofUnknown);
      }
  });

  it('list, find and cite what is visible, and nothing else', async () => {
    for (const [name, expected] of [
      ['Admin', ['Hidden', 'Seen']],
      ['Viewer', ['Seen']],
      ['Stranger', []],
    ] as const) {
      const agent = agents.get(name)!;
      const titles = (found: readonly { title: string }[]): string[] =>
        [...new Set(found.map(({ title }) => title))].filter((title) => title !== 'New').toSorted();
      expect(titles((await agent.output('list_recordings')).recordings)).toEqual(expected);
      expect(titles((await agent.output('search_recordings', { query: 'mechanics' })).results)).toEqual(
        expected,
      );
      const { citations } = await agent.output('ask', {
        question: 'How many mechanics does the depot need?',
      });
      expect(titles(citations)).toEqual(expected);
      const { resources } = await agent.client.listResources();
      expect(resources.some(({ uri }) => uri.includes(hidden.id))).toBe(name === 'Admin');
      expect(resources.some(({ uri }) => uri.includes(seen.id))).toBe(name !== 'Stranger');
    }
  });
});
