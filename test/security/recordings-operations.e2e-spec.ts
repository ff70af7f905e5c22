import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  id,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../factories/workspace.js';
import { addParts, ofParts, PARTS, type RefusedCase } from '../factories/parts.js';
import { insertRows, narrowKeyRows } from '../factories/worlds.js';
import { refusal, type Client, type Reply } from '../support/client.js';
import { exampleBody, operationsOn, resolvedSchema, type Sent } from '../support/example-requests.js';
import { expectNone } from '../support/proofs.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../support/service.js';
import { demoVideo, uploadedDirectly } from '../support/uploads.js';

/** Every operation of the API document on one recording, for everybody: a new one is tested without a new test. */

/** How an operation is refused to those who only see the recording, and to its owner when it is locked or unpaid. */
const USUAL: Readonly<Record<RefusedCase, readonly [status: number, body: object]>> = {
  seen: [
    403,
    refusal(
      'FORBIDDEN',
      'You can view this recording but not change it; its owner can, and every OWNER or ADMIN of its organization.',
    ),
  ],
  locked: [
    403,
    refusal(
      'RECORDING_LOCKED',
      expect.stringMatching(
        /^The FREE plan includes 30 days of history, and this recording is older; this requires the PRO plan. An operator changes it with "npx mrs (users|orgs) update /,
      ),
    ),
  ],
  lapsed: [402, refusal('ORGANIZATION_SUBSCRIPTION_EXPIRED')],
};

interface Exception {
  readonly because: string;
  readonly cases: readonly RefusedCase[];
  /** Of the reply, if it is not success. */
  readonly status?: number;
}
/** Cases in which an operation that is no GET is not refused; those who see a recording may read it. */
const EXCEPTIONS: Readonly<Record<string, readonly Exception[]>> = {
  'PUT /recordings/{id}/media': [
    { because: 'an upload that was opened in time may end', cases: ['locked', 'lapsed'] },
  ],
  'POST /recordings/{id}/upload/complete': [
    { because: 'an upload that was opened in time may end', cases: ['locked', 'lapsed'] },
  ],
  'PUT /recordings/{id}/tracks/{trackId}/media': [
    { because: 'an upload that was opened in time may end', cases: ['locked', 'lapsed'] },
  ],
  'GET /recordings/{id}': [{ because: 'title and status are shown', cases: ['locked'] }],
  'PATCH /recordings/{id}': [{ because: 'anything but notes may be changed', cases: ['locked', 'lapsed'] }],
  'DELETE /recordings/{id}': [{ because: 'owners may always delete', cases: ['locked', 'lapsed'] }],
  'POST /recordings/{id}/questions': [{ because: 'it changes nothing', cases: ['seen'] }],
  'POST /recordings/{id}/exports': [
    { because: 'it changes nothing', cases: ['seen'] },
    { because: 'it has what is shown', cases: ['locked'] },
  ],
  'GET /recordings/{id}/share-links': [
    { because: 'links must be found to revoke them', cases: ['locked', 'lapsed'] },
  ],
  ...Object.fromEntries(Object.entries(ofParts('allowed')).map(([name, one]) => [name, [one]])),
};

/** The refusal of those who only see the recording, where it is not the usual one. */
const SEEN = ofParts('refusals');

/** What the document cannot say. */
const PARAMETERS: Readonly<Record<string, string>> = { segmentId: '0', revision: '1' };
const BODIES: Readonly<Record<string, Sent>> = {
  'PUT /recordings/{id}/media': { body: demoVideo(), type: 'application/octet-stream' },
  'PUT /recordings/{id}/tracks/{trackId}/media': { body: demoVideo(), type: 'application/octet-stream' },
};
/** Of the owner, which makes an operation possible. */
const BEFORE: Readonly<
  Record<string, (api: Client, recordingId: string, service: TestService) => Promise<unknown>>
> = {
  'PUT /recordings/{id}/media': (api, recordingId) => api.post(`/recordings/${recordingId}/upload`, {}),
  'POST /recordings/{id}/upload/complete': (api, recordingId, service) =>
    uploadedDirectly(service, api, recordingId),
};

function bodyOfPart(name: string): Sent | undefined {
  const body = ofParts('requests')[name]?.('Standup');
  return body && { body, type: 'application/json' };
}

/** Those with several formats also in the last of them, which is another way through the code. */
const OPERATIONS = operationsOn('/recordings/{id}').flatMap((one) => {
  const sent = BODIES[one.name] ?? bodyOfPart(one.name) ?? exampleBody(one.operation);
  const format = one.operation.parameters?.find(({ name }) => name === 'format');
  const formats = format && resolvedSchema(format.schema).enum;
  return ['', ...(formats ? [`?format=${formats.at(-1)}`] : [])].map((query) => ({
    ...one,
    title: one.name + query,
    path: one.path + query,
    sent,
  }));
});
type Operation = (typeof OPERATIONS)[number];

const SEES_ALL = { viewAllRecordings: true };
const CONTROLLING = ['Olga', 'Adam', 'Edith'] as const;
const members = [
  member('Olga', 'OWNER'),
  member('Adam', 'ADMIN'),
  member('Edith', 'EDITOR'),
  member('Edgar', 'EDITOR', SEES_ALL),
  member('Emil', 'EDITOR'),
  member('Vera', 'VIEWER', SEES_ALL),
  member('Viktor', 'VIEWER'),
  member('Former', 'EDITOR'),
];
const NAMES = ['Olga', 'Adam', 'Edith', 'Edgar', 'Emil', 'Vera', 'Viktor', 'Former', 'Stranger'];

const content = { transcript: transcript(3), summary, media: 'video.mp4' };
const old = { createdAt: '2020-01-01T00:00:00Z' };
const inAcme = (owner: string) => recording(owner, { ...content, organization: 'Acme' });
/** What an operation is tried on, by name. */
const subjectsOf = () => ({
  Olga: inAcme('Edith'),
  Adam: inAcme('Edith'),
  Edith: inAcme('Edith'),
  ofViewer: inAcme('Viktor'),
  locked: recording('Edith', { ...content, ...old, organization: 'Small' }),
  lapsed: recording('Edith', { ...content, ...old, organization: 'Lapsed' }),
});
type Subject = keyof ReturnType<typeof subjectsOf>;

describe('every operation on a recording', () => {
  let service: TestService;
  const people = NAMES.map((name) => user(name));
  const homes = ['Acme', 'Small', 'Lapsed'].map((name) => organization(name, { members }));
  const personal = recording('Edith');
  const ofFormer = inAcme('Former');
  // Reading changes none.
  const read = subjectsOf();
  const subjects = new Map(
    OPERATIONS.map(({ method, title }) => [title, method === 'GET' ? read : subjectsOf()]),
  );
  /** Ids of what is in a recording. */
  const parts = new Map<string, string>();
  const as = (name: string): Client => service.api.as(keyOf(name));
  const idOf = ({ title }: Operation, subject: Subject): string => subjects.get(title)![subject].id;

  beforeAll(async () => {
    service = await startService({ ...WITH_TRANSCRIBER, MAX_OPEN_UPLOADS: '1000' });
    await service.import(
      {
        users: people,
        organizations: homes,
        recordings: [
          personal,
          ofFormer,
          ...[...new Set(subjects.values())].flatMap((each) => Object.values(each)),
        ],
      },
      { 'video.mp4': 'video' },
    );
    for (const { name, title, path } of OPERATIONS)
      for (const [subject, { id: recordingId }] of Object.entries(subjects.get(title)!)) {
        const at = `/recordings/${recordingId}`;
        for (const part of PARTS.filter(({ parameter }) => path.includes(`{${parameter}}`))) {
          const author = part.isOfAuthor && CONTROLLING.some((one) => one === subject) ? subject : 'Olga';
          const { [part.table]: added } = await addParts(as(author), recordingId, 'Standup', [part]);
          parts.set(recordingId, added.id);
        }
        if (path.includes('{actionItemId}')) {
          const body = { content: 'We talked.', actionItems: [{ text: 'Ask the bank' }] };
          const sent = await as('Olga').request('PUT', `${at}/summary`, { body });
          parts.set(recordingId, sent.body.data.actionItems[0].id);
        }
        await BEFORE[name]?.(as('Olga'), recordingId, service);
      }
    await service.dataSource.query(`
      UPDATE organizations SET plan = 'FREE' WHERE name = 'Small';
      UPDATE organizations SET subscription_status = 'expired' WHERE name = 'Lapsed';
      DELETE FROM organization_members m USING users u WHERE u.id = m.user_id AND u.name = 'Former'`);
    const [olga] = people;
    const [acme, small] = homes;
    const narrow = { userId: olga!.id, organizationIds: [acme!.id] };
    await insertRows(
      service.dataSource,
      'api_keys',
      narrowKeyRows([
        { ...narrow, name: 'OlgaInSmall', organizationIds: [small!.id] },
        { ...narrow, name: 'OlgaInFolder', folderIds: [id()] },
      ]),
    );
  });
  afterAll(() => service.stop());

  const send = (api: Client, { method, path, sent }: Operation, recordingId: string): Promise<Reply> => {
    const part = parts.get(recordingId) ?? id();
    const ofPart = Object.fromEntries(PARTS.map(({ parameter }) => [parameter, part]));
    const parameters = { id: recordingId, actionItemId: part, ...ofPart, ...PARAMETERS };
    const full = path.replace(
      /\{(\w+)\}/g,
      (_, name: string) => (parameters as Record<string, string>)[name]!,
    );
    return api.request(method, full, sent && { body: sent.body, headers: { 'content-type': sent.type } });
  };

  /** The request or requests must not change anything. */
  async function unchanged<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const ids = [personal, ofFormer, ...Object.values(subjects.get(operation.title)!)].map((one) => one.id);
    const tables = [
      'transcripts',
      'summaries',
      'action_items',
      'uploads',
      ...PARTS.map(({ table }) => table),
    ];
    const own = tables.map(
      (table) => `(SELECT jsonb_agg(to_jsonb(t)) FROM ${table} t WHERE t.recording_id = r.id) AS ${table}`,
    );
    const sql = `SELECT to_jsonb(r) - 'viewed_at' AS recording, ${own.join(', ')} FROM recordings r WHERE r.id = ANY ($1) ORDER BY r.id`;
    const before = await service.dataSource.query(sql, [ids]);
    const result = await work();
    expect(await service.dataSource.query(sql, [ids])).toEqual(before);
    return result;
  }

  /** All of a reply except what differs for every request. */
  const comparable = ({ status, headers, body }: Reply) => {
    const own = /^(?:x-request-id|date|ratelimit-remaining|ratelimit-reset)$/;
    return { status, headers: [...headers].filter(([name]) => !own.test(name)), body };
  };

  describe.each(OPERATIONS)('$title', (operation) => {
    const exceptions = new Map(
      (EXCEPTIONS[operation.name] ?? []).flatMap(({ cases, status = operation.done }) =>
        cases.map((one) => [one, [status].flat()] as const),
      ),
    );
    const isRefused = (one: RefusedCase): boolean =>
      !exceptions.has(one) && !(one === 'seen' && operation.method === 'GET');

    async function expectCase(one: RefusedCase, name: string, subject: Subject): Promise<void> {
      const ask = (): Promise<Reply> => send(as(name), operation, idOf(operation, subject));
      if (!isRefused(one)) {
        const { status } = await ask();
        expect([name, exceptions.get(one) ?? operation.done]).toEqual([
          name,
          expect.arrayContaining([status]),
        ]);
        return;
      }
      const { status, body } = await unchanged(operation, ask);
      const usual = USUAL[one];
      const { [operation.name]: own } = SEEN;
      const expected = one === 'seen' && own ? [403, refusal(...own)] : usual;
      expect([name, status, body]).toEqual([name, ...expected]);
    }

    it('requires a key', () =>
      unchanged(operation, async () => {
        for (const [api, code] of [
          [service.api, 'UNAUTHORIZED'],
          [service.api.as('mrs_unknownunknownunknownunknown'), 'INVALID_API_KEY'],
        ] as const) {
          const { status, headers, body } = await send(api, operation, idOf(operation, 'Olga'));
          expect([status, headers.get('www-authenticate'), body]).toEqual([401, 'Bearer', refusal(code)]);
        }
      }));

    it('is the same 404 for a hidden recording as for a missing one, byte for byte', () =>
      unchanged(operation, async () => {
        const absent = comparable(await send(as('Emil'), operation, id()));
        expect([absent.status, absent.body]).toEqual([404, refusal('RECORDING_NOT_FOUND')]);
        const hidden = [
          ...(['Olga', 'locked', 'lapsed'] as const).map((one) => ['Emil', idOf(operation, one)] as const),
          ['Viktor', idOf(operation, 'Olga')],
          ['Stranger', idOf(operation, 'Olga')],
          ['Former', ofFormer.id],
          ['OlgaInSmall', idOf(operation, 'Olga')],
          ['OlgaInFolder', idOf(operation, 'Olga')],
          ['Olga', personal.id],
          ['Stranger', personal.id.toUpperCase()],
        ] as const;
        for (const [name, one] of hidden)
          expect([name, one, comparable(await send(as(name), operation, one))]).toEqual([name, one, absent]);
      }));

    it('is a 404 that says so for what is not an id', () =>
      unchanged(operation, async () => {
        for (const none of ['1', `{${personal.id}}`, personal.id.replaceAll('-', ''), '..%2f']) {
          const { status, body } = await send(as('Edith'), operation, none);
          const message = `Recording not found. "${decodeURIComponent(none)}" is not an id: ids are UUIDs, such as `;
          expect([none, status, body]).toEqual([
            none,
            404,
            refusal('RECORDING_NOT_FOUND', expect.stringContaining(message)),
          ]);
        }
      }));

    it(`${isRefused('seen') ? 'is refused to' : 'works for'} those who only see the recording`, async () => {
      await expectCase('seen', 'Edgar', 'Olga');
      await expectCase('seen', 'Vera', 'Olga');
      await expectCase('seen', 'Viktor', 'ofViewer');
    });

    it(`${isRefused('locked') ? 'is refused' : 'works'} when the plan locks the recording`, () =>
      expectCase('locked', 'Olga', 'locked'));

    it(`${isRefused('lapsed') ? 'is refused' : 'works'} when the subscription has expired`, () =>
      expectCase('lapsed', 'Olga', 'lapsed'));

    // Which also shows that the requests before were in order.
    it.each(CONTROLLING)('works for %s', async (name) => {
      const { status, body } = await send(as(name), operation, idOf(operation, name));
      expect([operation.done, body.error]).toEqual([expect.arrayContaining([status]), undefined]);
    });
  });

  it('is in the API document if something is declared for it, and needs what is declared', () => {
    const names = new Set(OPERATIONS.map(({ name }) => name));
    const declared = [EXCEPTIONS, SEEN, BODIES, BEFORE].flatMap((table) => Object.keys(table));
    expectNone(declared.filter((name) => !names.has(name)));
    const parameters = new Set(OPERATIONS.flatMap(({ path }) => path.match(/\w+(?=\})/g)));
    expectNone(Object.keys(PARAMETERS).filter((name) => !parameters.has(name)));
    const known = new Set(['id', 'actionItemId', ...Object.keys(PARAMETERS)]);
    for (const { parameter } of PARTS) known.add(parameter);
    expectNone(
      [...parameters].flatMap((name) =>
        name && !known.has(name)
          ? [`no test adds what {${name}} is the id of: add it to PARTS of test/factories/parts.ts`]
          : [],
      ),
    );
    expectNone(
      OPERATIONS.flatMap((one) => (BODIES[one.name] && exampleBody(one.operation) ? [one.name] : [])),
    );
    // Who sees a recording may read it: that is no exception.
    expectNone(
      Object.entries(EXCEPTIONS).flatMap(([name, its]) =>
        name.startsWith('GET ') && its.some(({ cases }) => cases.includes('seen')) ? [name] : [],
      ),
    );
  });
});
