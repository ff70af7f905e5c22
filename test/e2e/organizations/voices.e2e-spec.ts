import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keepVoices, lockRemembering } from '../../../src/modules/organizations/public/voices.queries.js';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { done, refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const [LOW, HIGH] = [Float32Array.of(0.8, 0.6), Float32Array.of(-0.6, 0.8)];
const MEETING = {
  language: 'en',
  segments: ['Speaker 1', 'Speaker 2', 'Speaker 1'].map((speaker, index) => ({
    start: index,
    end: index + 1,
    speaker,
    text: `Sentence ${index}`,
  })),
};
const SUGGESTED = [{ speaker: 'Speaker 1', name: 'Ada Lovelace', confidence: 1 }];

describe('the voices that an organization remembers', () => {
  let service: TestService;
  const secret = folder('Secret', { restrictedTo: ['olga@acme.test'] });
  const organizationOf = (name: string, overrides = {}) =>
    organization(name, {
      members: [member('Olga', 'OWNER'), member('Anna', 'ADMIN'), member('Vito', 'VIEWER')],
      ...overrides,
    });
  const acme = organizationOf('Acme', { folders: [secret] });
  const beta = organizationOf('Beta');
  const voices = `/organizations/${acme.id}/voices`;
  let [olga, anna, vito, eve]: Client[] = [];

  beforeAll(async () => {
    service = await startService({ BIN_DAYS: '1' });
    const names = ['Olga', 'Anna', 'Vito', 'Eve'];
    await service.import({ users: names.map((name) => user(name)), organizations: [acme, beta] });
    [olga, anna, vito, eve] = names.map((name) => service.api.as(keyOf(name)));
    // Viewers see the recordings of others if they may, but cannot change them.
    await service.dataSource.query('UPDATE organization_members SET view_all_recordings = true');
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    for (const { id } of [acme, beta])
      for (const remember of [false, true])
        await done(olga!.patch(`/organizations/${id}`, { remember_voices: remember }));
  });

  /** Keeps the voices of a meeting as a transcription does. */
  async function heard(place: object = { organization: 'Acme' }, model = 'voices.onnx'): Promise<string> {
    const { id } = recording('Olga', { ...place, transcript: MEETING });
    await service.import({ recordings: [{ ...recording('Olga', { ...place, transcript: MEETING }), id }] });
    const embeddings = [LOW, HIGH];
    await service.dataSource.transaction(async (manager) => {
      const organizationId = await lockRemembering(manager, id);
      const found = embeddings.map((embedding, index) => ({
        speaker: `Speaker ${index + 1}`,
        seconds: 20,
        model,
        embedding,
      }));
      if (organizationId) await keepVoices(manager, [id, organizationId], found);
    });
    return id;
  }
  const rename = (id: string, renames: object, by = olga!) =>
    done(by.patch(`/recordings/${id}/transcript/speakers`, renames));
  const named = async (place?: object): Promise<string> => {
    const id = await heard(place);
    await rename(id, { from: 'Speaker 1', to: 'Ada Lovelace' });
    return id;
  };
  const pageOf = async (id: string, by = olga!) => done(by.get(`/recordings/${id}/transcript`));
  const suggestedIn = async (id: string, by?: Client) => (await pageOf(id, by)).speakerSuggestions ?? [];
  const listed = async (query = ''): Promise<[string, number][]> =>
    (await done(anna!.get(`${voices}${query}`))).map((voice: { name: string; recordings: number }) => [
      voice.name,
      voice.recordings,
    ]);
  const kept = async (): Promise<number> =>
    (await service.dataSource.query('SELECT count(*)::int AS n FROM transcript_voices'))[0].n;

  it('are suggested in later meetings to those who may rename speakers, and nobody is renamed', async () => {
    const first = await named();
    expect(await suggestedIn(first)).toEqual([]);
    const second = await heard();
    expect(await suggestedIn(second)).toEqual(SUGGESTED);
    expect(await suggestedIn(second, anna)).toEqual(SUGGESTED);
    expect(await suggestedIn(second, vito)).toEqual([]);
    expect((await pageOf(second)).speakers).toEqual(['Speaker 1', 'Speaker 2']);
    await rename(second, { from: 'Speaker 1', to: 'Ada Lovelace' });
    expect(await suggestedIn(second)).toEqual([]);
    expect(await listed()).toEqual([['Ada Lovelace', 2]]);
    // Those of other models cannot be compared.
    expect(await suggestedIn(await heard({ organization: 'Acme' }, 'others.onnx'))).toEqual([]);
  });

  it('are not shown to visitors of a share link', async () => {
    await named();
    const second = await heard();
    const link = await done(olga!.post(`/recordings/${second}/share-link`, {}));
    const shared = await service.api.get(`/shares/${link.share_url.split('/').at(-1)}`);
    expect(shared.status).toBe(200);
    expect(JSON.stringify(shared.body)).not.toContain('Ada Lovelace');
  });

  it('follow their names: corrected, swapped, merged, taken back, and lost with a label', async () => {
    const id = await named();
    await rename(id, [
      { from: 'Ada Lovelace', to: 'Speaker 2' },
      { from: 'Speaker 2', to: 'Eve' },
    ]);
    expect(await listed()).toEqual([['Eve', 1]]);
    await rename(id, { from: 'Speaker 2', to: 'EVE' });
    expect(await listed()).toEqual([['EVE', 1]]);
    await rename(id, { from: 'Eve', to: 'Speaker 7' });
    expect(await listed()).toEqual([['EVE', 1]]);
    // With a range, the voice stays as long as the label does.
    await rename(id, { from: 'EVE', to: 'Bob', segments: { first: 0, last: 0 } });
    expect(await listed()).toEqual([['EVE', 1]]);
    await rename(id, { from: 'EVE', to: 'Bob', segments: { first: 2, last: 2 } });
    expect(await listed()).toEqual([]);
    expect(await kept()).toBe(1);
  });

  it('go with what the transcription has written', async () => {
    const [imported, restored, deleted] = [await named(), await named(), await named()];
    await done(olga!.request('PUT', `/recordings/${imported}/transcript`, { body: MEETING }));
    await done(olga!.post(`/recordings/${restored}/transcript/revisions/1/restore`));
    expect(await listed()).toEqual([['Ada Lovelace', 1]]);
    await done(olga!.delete(`/recordings/${deleted}`));
    // What is in the bin is not shown.
    expect(await listed()).toEqual([]);
    expect(await suggestedIn(await heard())).toEqual([]);
    await done(olga!.post(`/deleted-recordings/${deleted}/restore`));
    expect(await listed()).toEqual([['Ada Lovelace', 1]]);
    await done(olga!.delete(`/recordings/${deleted}`));
    await done(olga!.delete(`/deleted-recordings/${deleted}`));
    expect(await kept()).toBe(2);
  });

  it('are listed with counts and dates, in pages, for an OWNER or ADMIN', async () => {
    await rename(await named(), { from: 'Speaker 2', to: 'Grace' });
    await named();
    const { status, body } = await anna!.get(`${voices}?limit=1`);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Ada Lovelace',
        recordings: 2,
        seconds: 40,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const next = await anna!.get(`${voices}?limit=1&cursor=${body.pagination.next_cursor}`);
    expect(next.body.data).toMatchObject([{ name: 'Grace', recordings: 1, seconds: 20 }]);
    expect(next.body.pagination.has_more).toBe(false);
    expect(await listed('?search=lovel')).toEqual([['Ada Lovelace', 2]]);
    for (const by of [vito!, eve!]) {
      expect((await by.get(voices)).body).toMatchObject(refusal('FORBIDDEN'));
      expect((await by.delete(`${voices}/${body.data[0].id}`)).body).toMatchObject(refusal('FORBIDDEN'));
    }
    expect(await listed()).toHaveLength(2);
  });

  it('can be deleted, also where they are suggested, and the change log says so', async () => {
    await named();
    const second = await heard();
    const [{ id }] = await done(anna!.get(voices));
    // Of another organization, where it is not known.
    const elsewhere = await anna!.delete(`/organizations/${beta.id}/voices/${id}`);
    expect([elsewhere.status, elsewhere.body]).toMatchObject([404, refusal('NOT_FOUND')]);
    const changes = await changesOf(service.dataSource, () => done(anna!.delete(`${voices}/${id}`)));
    expect(changes).toMatchObject([{ type: 'organization.updated', details: { fields: ['voices'] } }]);
    expect(await listed()).toEqual([]);
    expect(await suggestedIn(second)).toEqual([]);
    expect(await suggestedIn(await heard())).toEqual([]);
    for (const unknown of [id, 'nobody'])
      expect((await anna!.delete(`${voices}/${unknown}`)).body).toMatchObject(refusal('NOT_FOUND'));
  });

  it('never reach another organization, also when the recording does', async () => {
    const first = await named();
    expect(await suggestedIn(await heard({ organization: 'Beta' }))).toEqual([]);
    expect(await kept()).toBe(4);
    await done(olga!.patch(`/recordings/${first}`, { organization_id: beta.id }));
    expect(await listed()).toEqual([]);
    expect(await done(olga!.get(`/organizations/${beta.id}/voices`))).toEqual([]);
    expect(await suggestedIn(await heard({ organization: 'Beta' }))).toEqual([]);
  });

  it('are kept only where they are wanted: not before, not after, and not of personal recordings', async () => {
    await named();
    await heard();
    expect((await anna!.patch(`/organizations/${acme.id}`, { remember_voices: false })).body).toMatchObject(
      refusal('FORBIDDEN'),
    );
    expect(await kept()).toBe(4);
    const changes = await changesOf(service.dataSource, () =>
      done(olga!.patch(`/organizations/${acme.id}`, { remember_voices: false })),
    );
    expect(changes).toMatchObject([{ details: { fields: ['remember_voices'] } }]);
    expect(await kept()).toBe(0);
    await named();
    await named({});
    expect(await kept()).toBe(0);
    expect((await done(olga!.get(`/organizations/${acme.id}`))).remember_voices).toBe(false);
  });

  it('keep the last of too many', async () => {
    await named();
    const old = await heard();
    await service.dataSource.query(
      `INSERT INTO transcript_voices SELECT recording_id, n, organization_id, 'Bob', now(), seconds, model, embedding
       FROM transcript_voices CROSS JOIN generate_series(100, 10097) n WHERE recording_id = $1 AND number = 0`,
      [old],
    );
    await rename(await heard(), { from: 'Speaker 1', to: 'Zoe' });
    const [{ n, unnamed }] = await service.dataSource.query(
      `SELECT count(*)::int AS n, count(*) FILTER (WHERE named_at IS NULL)::int AS unnamed FROM transcript_voices`,
    );
    expect([n, unnamed]).toEqual([10_000, 0]);
  });
});
