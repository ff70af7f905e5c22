import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  id,
  keyOf,
  member,
  organization,
  ownDeletion,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { done, outcome, type Client, type Reply } from '../../support/client.js';
import { commandsOn } from '../../support/command-line.js';
import { startService, type TestService } from '../../support/service.js';
import { at, demoVideo, TUS } from '../../support/uploads.js';

const members = ['OWNER', 'ADMIN', 'EDITOR'].map((role, index) =>
  member(['Ada', 'Grace', 'Bob'][index]!, role),
);
const acme = organization('Acme', { members });
const beta = organization('Beta', { members: [member('Ada', 'OWNER'), member('Bob', 'EDITOR')] });
const people = ['Ada', 'Grace', 'Bob', 'Carl', 'Op'].map((name) => user(name, { id: id() }));
const [, , bob, carl] = people as { id: string }[];
const ofBob = recording('Bob', {
  organization: 'Acme',
  transcript: transcript(2),
  summary,
  media: 'call.mp4',
});
const ofCarl = recording('Carl', { media: 'call.mp4' });
const video = demoVideo();
const of = { matter: 'Case 24/117', reason: 'Letter of the court' };
const KNOWING = [
  409,
  'LEGAL_HOLD',
  expect.stringContaining('is under the legal hold "Case 24/117", so it cannot be'),
];
const NOT_KNOWING = (what: string) => [409, 'CONFLICT', `This ${what} at the moment.`];
const answerOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.message];

describe('what is under legal hold', () => {
  let service: TestService;
  let [ada, grace, bobs, carls, operator]: Client[] = [];
  let hold: string;

  beforeAll(async () => {
    service = await startService();
    await service.import(
      { users: people, organizations: [acme, beta], recordings: [ofBob, ofCarl] },
      { 'call.mp4': 'not really a video' },
    );
    await service.dataSource.query(`UPDATE users SET operator = true WHERE name = 'Op'`);
    await service.dataSource.query('UPDATE organizations SET members_may_take_recordings = true');
    [ada, grace, bobs, carls, operator] = ['Ada', 'Grace', 'Bob', 'Carl', 'Op'].map((name) =>
      service.api.as(keyOf(name)),
    );
    ({ id: hold } = await done(ada!.post('/legal-holds', { ...of, organization_id: acme.id })));
  });
  afterAll(() => service.stop());

  const lift = (one: string): Promise<Reply> => done(operator!.post(`/legal-holds/${one}/lift`));
  const { refuses } = commandsOn(() => service);
  const held = /is under the legal hold "Case 24\/117", so it cannot be deleted\.$/;
  const versions = async (kind: string): Promise<{ value: { revision: number } }[]> =>
    service.dataSource.query(
      `SELECT value FROM held_versions WHERE recording_id = $1 AND kind = $2 ORDER BY at`,
      [ofBob.id, kind],
    );

  it('cannot leave its organization; only those who may know of the hold learn why', async () => {
    const path = `/recordings/${ofBob.id}`;
    const refused = NOT_KNOWING('recording cannot be moved to another organization');
    expect(answerOf(await ada!.patch(path, { organization_id: beta.id }))).toEqual(KNOWING);
    expect(answerOf(await bobs!.patch(path, { organization_id: beta.id }))).toEqual(refused);
    expect(answerOf(await bobs!.patch(path, { organization_id: null }))).toEqual(refused);
    const bulk = { action: 'move', ids: [ofBob.id], organization_id: beta.id };
    expect(answerOf(await bobs!.post('/recordings/bulk', bulk))).toEqual([
      409,
      'CONFLICT',
      'ids[0]: This recording cannot be moved to another organization at the moment. Nothing was changed.',
    ]);
    const { results } = await done(bobs!.post('/recordings/bulk', { ...bulk, mode: 'each' }));
    expect(results).toMatchObject([{ success: false, error: { code: 'CONFLICT' } }]);
    expect(JSON.stringify([await bobs!.get(path), await grace!.get(path)])).not.toContain('Case');
  });

  it('keeps its media: no other is taken', async () => {
    const open = { size: 100 };
    const path = `/recordings/${ofBob.id}/upload`;
    expect(answerOf(await grace!.post(path, open))).toEqual(KNOWING);
    expect(answerOf(await bobs!.post(path, open))).toEqual(
      NOT_KNOWING('recording cannot be given other media'),
    );
  });

  it('can be uploaded, but an upload cannot be canceled', async () => {
    const fields = { title: 'New', organization_id: acme.id, size: video.length };
    const { id: uploading } = await done(bobs!.post('/recordings', fields));
    const sent = await bobs!.request('PATCH', `/uploads/${uploading}`, {
      headers: at(0),
      body: video.subarray(0, 5_000),
    });
    expect(sent.status).toBe(204);
    const canceled = await bobs!.request('DELETE', `/uploads/${uploading}`, { headers: TUS });
    expect(answerOf(canceled)).toEqual(NOT_KNOWING('recording cannot be deleted'));
    expect(answerOf(await ada!.request('DELETE', `/uploads/${uploading}`, { headers: TUS }))).toEqual(
      KNOWING,
    );
    const rest = { headers: at(5_000), body: video.subarray(5_000) };
    expect((await bobs!.request('PATCH', `/uploads/${uploading}`, rest)).status).toBe(204);
  });

  it('keeps every version of its texts, however often they change', async () => {
    const path = `/recordings/${ofBob.id}`;
    for (let version = 1; version <= 13; version++) {
      await done(bobs!.patch(`${path}/transcript/segments/0`, { text: `Version ${version}` }));
      const body = { content: `Version ${version}`, actionItems: [{ text: `Version ${version}` }] };
      await done(bobs!.request('PUT', `${path}/summary`, { body }));
    }
    await done(bobs!.patch(path, { title: 'Second', notes: 'First', metadata: { crm: '1' } }));
    await done(bobs!.patch(path, { title: 'Third', notes: 'Second' }));
    const stored: { text: string }[] = await service.dataSource.query(
      `SELECT segments->0->>'text' AS text FROM transcript_chunks WHERE recording_id = $1
       UNION ALL SELECT segments->0->>'text' FROM superseded_transcript_chunks WHERE recording_id = $1
       UNION ALL SELECT value->'segments'->0->>'text' FROM held_versions
         WHERE recording_id = $1 AND kind = 'superseded_transcript_chunks'`,
      [ofBob.id],
    );
    const all = Array.from({ length: 13 }, (_, index) => `Version ${index + 1}`);
    expect(stored.map(({ text }) => text).toSorted()).toEqual(['Sentence 0', ...all].toSorted());
    expect((await versions('transcript_revisions')).map(({ value }) => value.revision)).toEqual([1, 2, 3, 4]);
    expect((await versions('summary_revisions')).map(({ value }) => value.revision)).toEqual([1, 2, 3, 4]);
    expect((await versions('recordings')).map(({ value }) => value)).toEqual([
      { title: 'Weekly sync', notes: '', external_id: null, metadata: {} },
      { title: 'Second', notes: 'First', external_id: null, metadata: { crm: '1' } },
    ]);
    const items = (await versions('action_items')) as unknown as { value: { text: string } }[];
    expect(new Set(items.map(({ value }) => value.text))).toEqual(new Set(all.slice(0, 12)));
  });

  it('belongs to an organization that cannot be deleted', async () => {
    const path = `/organizations/${acme.id}?recordings=delete`;
    expect(answerOf(await ada!.delete(path))).toEqual(KNOWING);
    const { id: ofOperator } = await done(
      operator!.post('/legal-holds', { ...of, recording_ids: [ofBob.id] }),
    );
    await lift(hold);
    expect(answerOf(await ada!.delete(path))).toEqual(NOT_KNOWING('organization cannot be deleted'));
    await refuses(3, held, 'orgs', 'delete', acme.id, '--recordings', 'delete');
    await refuses(3, held, 'recordings', 'delete', ofBob.id);
    ({ id: hold } = await done(ada!.post('/legal-holds', { ...of, organization_id: acme.id })));
    await lift(ofOperator);
  });

  it('belongs to somebody who cannot be deleted, by whomever', async () => {
    const { id: ofOperator } = await done(
      operator!.post('/legal-holds', { ...of, recording_ids: [ofCarl.id] }),
    );
    const { email } = await done(carls!.get('/me'));
    expect(answerOf(await carls!.delete(ownDeletion(email)))).toEqual(NOT_KNOWING('user cannot be deleted'));
    expect(answerOf(await operator!.delete(`/users/${carl!.id}`))).toEqual(KNOWING);
    await refuses(3, held, 'users', 'delete', '--email', email);
    await lift(ofOperator);
    const { id: ofBobs } = await done(
      ada!.post('/legal-holds', { ...of, organization_id: acme.id, user_ids: [bob!.id] }),
    );
    expect(answerOf(await bobs!.delete(ownDeletion((await done(bobs!.get('/me'))).email)))).toEqual(
      NOT_KNOWING('user cannot be deleted'),
    );
    // They may leave: what they own stays.
    await done(ada!.delete(`/organizations/${acme.id}/members/${bob!.id}`));
    await lift(ofBobs);
    expect((await carls!.delete(ownDeletion(email))).status).toBe(200);
  });

  it('can be deleted once the last hold is lifted, which removes what only the hold has kept', async () => {
    const more = { ...of, organization_id: acme.id, recording_ids: [ofBob.id] };
    const { id: last } = await done(ada!.post('/legal-holds', more));
    await lift(hold);
    expect(await versions('recordings')).toHaveLength(2);
    await lift(last);
    expect(await versions('recordings')).toEqual([]);
    expect(outcome(await ada!.delete(`/recordings/${ofBob.id}`))).toEqual([200, null]);
    expect(outcome(await ada!.delete(`/organizations/${acme.id}?recordings=delete`))).toEqual([200, null]);
  });
});
