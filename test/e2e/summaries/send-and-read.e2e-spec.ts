import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const SUMMARY = {
  content: '## Decisions\n\n- Launch on **12 March**',
  topics: [
    {
      title: 'Launch * date',
      start: 640.5,
      keyPoints: [
        {
          point: 'The launch moves',
          start: 3_725,
          details: ['Ada (10:45): "One more week."', '<b>not bold</b>'],
        },
        { point: 'No more', details: [] },
      ],
    },
    { title: 'Hiring' },
  ],
  decisions: [
    { text: 'Launch on *12* March', start: 645.2, segmentIds: [41, 42], confidence: 0.62 },
    { text: 'Hire two' },
  ],
  actionItems: [
    {
      text: 'Test the backup',
      owner: 'Ada',
      due: 'by Thursday',
      start: 650,
      segmentIds: [43],
      confidence: 0.4,
    },
    { text: '[Ask] the bank', done: true },
  ],
};
const DECISIONS = [
  { text: 'Launch on *12* March', start: 645.2, segmentIds: [41, 42], confidence: 0.62 },
  { text: 'Hire two', start: null, segmentIds: [], confidence: null },
];
const ACTION_ITEMS = [
  {
    id: expect.any(String),
    text: 'Test the backup',
    owner: 'Ada',
    due: 'by Thursday',
    dueDate: '2026-02-26',
    start: 650,
    segmentIds: [43],
    confidence: 0.4,
    done: false,
  },
  {
    id: expect.any(String),
    text: '[Ask] the bank',
    owner: null,
    due: null,
    dueDate: null,
    start: null,
    segmentIds: [],
    confidence: null,
    done: true,
  },
];
const TOPICS = [
  {
    title: 'Launch * date',
    start: 640.5,
    keyPoints: [
      {
        point: 'The launch moves',
        start: 3_725,
        details: ['Ada (10:45): "One more week."', '<b>not bold</b>'],
      },
      { point: 'No more', start: null, details: [] },
    ],
  },
  { title: 'Hiring', start: null, keyPoints: [] },
];
const NONE = {
  status: 'not_started',
  statusReason: null,
  revision: 0,
  content: null,
  topics: [],
  decisions: [],
  actionItems: [],
};

describe('importing and reading a summary', () => {
  let service: TestService;
  let ada: Client;
  let meeting: { id: string };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    meeting = recording('Ada', { title: 'Weekly #1', createdAt: '2026-02-25T10:00:00.000Z' });
    await service.import({ recordings: [meeting] });
  });

  const path = () => `/recordings/${meeting.id}/summary`;
  const put = (body: unknown, headers = {}): Promise<Reply> =>
    ada.request('PUT', path(), { body, headers: { 'content-type': 'application/json', ...headers } });

  it('returns not_started before there is one', async () => {
    expect((await ada.get(path())).body).toEqual({ data: NONE });
  });

  it('returns an imported summary from GET, in the recording detail and as files', async () => {
    const { status, headers, body } = await put(SUMMARY);
    expect(status).toBe(200);
    const stored = {
      status: 'completed',
      statusReason: null,
      revision: 1,
      content: SUMMARY.content,
      topics: TOPICS,
      decisions: DECISIONS,
      actionItems: ACTION_ITEMS,
    };
    expect(body).toEqual({ data: stored });
    expect(headers.get('etag')).toBe('"1"');
    expect((await ada.get(path())).body).toEqual({ data: stored });
    const detail = (await ada.get(`/recordings/${meeting.id}`)).body.data.summary;
    expect(detail).toEqual({
      status: 'completed',
      statusReason: null,
      content: SUMMARY.content,
      topics: TOPICS,
      decisions: DECISIONS,
      actionItems: ACTION_ITEMS,
    });
    const file = await ada.get(`${path()}?format=json`);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="Weekly #1.json"');
    expect(file.body).toEqual({ data: stored });
  });

  it('exports Markdown with everything but the content escaped', async () => {
    await put(SUMMARY);
    const { headers, body } = await ada.get(`${path()}?format=md`);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(body).toBe(`# Weekly \\#1

## Decisions

- Launch on **12 March**

## Decisions

- Launch on \\*12\\* March (10:45)
- Hire two

## Action items

- [ ] **Ada**: Test the backup – by Thursday, 2026-02-26 (10:50)
- [x] \\[Ask\\] the bank

## Launch \\* date (10:40)

- The launch moves (1:02:05)
  - Ada (10:45): "One more week."
  - \\<b\\>not bold\\</b\\>
- No more

## Hiring
`);
    const accepted = await ada.get(path(), { headers: { accept: 'text/markdown' } });
    expect(accepted.body).toBe(body);
  });

  it('accepts plain Markdown, and its own exported file', async () => {
    const markdown = await put('# Notes\n\nAll good.', { 'content-type': 'text/markdown; charset=utf-8' });
    expect(markdown.body.data).toMatchObject({ content: '# Notes\n\nAll good.', topics: [], revision: 1 });
    await put(SUMMARY);
    const file = (await ada.get(`${path()}?format=json`)).body;
    const again = await put(file);
    expect(again.body.data).toEqual({ ...file.data, revision: 3 });
  });

  it.each([
    [{ content: '' }, 'content, topics, decisions or actionItems'],
    [{ content: 'a\u0000' }, 'content'],
    [{ content: 'x'.repeat(100_001) }, 'content'],
    [{ topics: [{ title: 'x', keyPoints: [{ point: 1 }] }] }, 'topics[0].keyPoints[0].point'],
    [{ topics: [{ title: 'x', start: -1 }] }, 'topics[0].start'],
    [{ decisions: [{ text: ' ' }] }, 'decisions[0].text'],
    [{ decisions: [{ text: 'x', segmentIds: [0.5] }] }, 'decisions[0].segmentIds[0]'],
    [{ decisions: Array.from({ length: 101 }, () => ({ text: 'x' })) }, 'decisions'],
    [{ decisions: [{ text: 'x', confidence: 1.1 }] }, 'decisions[0].confidence'],
    [{ actionItems: [{ text: 'x', confidence: '0.5' }] }, 'actionItems[0].confidence'],
    [{ actionItems: [{ text: 'x'.repeat(1_001) }] }, 'actionItems[0].text'],
    [{ actionItems: [{ text: 'x', owner: 'x'.repeat(201) }] }, 'actionItems[0].owner'],
    [{ actionItems: [{ text: 'x', done: 'yes' }] }, 'actionItems[0].done'],
    [{ actionItems: [{ text: 'x', title: 'y' }] }, 'title'],
    [{ text: 'x' }, 'text'],
    ['{"content":', 'malformed JSON'],
  ])('rejects %j, naming %s', async (body, name) => {
    const reply = await put(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(name)));
    expect((await ada.get(path())).body.data).toEqual(NONE);
  });

  it('rejects other media types', async () => {
    const { status, body } = await put('<p>x</p>', { 'content-type': 'text/html' });
    expect(status).toBe(415);
    expect(body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE'));
  });

  it('rejects a stale If-Match', async () => {
    await put(SUMMARY);
    await put({ content: 'Newer' }, { 'if-match': '"1"' });
    const stale = await put({ content: 'Lost' }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
    expect((await ada.get(path())).body.data).toMatchObject({ content: 'Newer', revision: 2 });
  });

  it('exports no file before there is a summary', async () => {
    const { status, body } = await ada.get(`${path()}?format=md`);
    expect(status).toBe(409);
    const message = `The summary is not_started. It can be downloaded once it is completed; POST /api/v1${path()} generates one.`;
    expect(body).toEqual(refusal('CONFLICT', message));
  });

  it('knows no other format', async () => {
    expect((await ada.get(`${path()}?format=docx`)).status).toBe(400);
  });
});
