import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const CREATED = '2026-03-01T09:00:00.000Z';
/** When the changes are made; the database has a later time. */
const NOW = new Date('2026-04-01T08:00:00.007Z');
const board = folder('Board');
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Bob', 'EDITOR')],
  folders: [board, folder('Archive')],
});
const TRANSCRIPT = { segments: [{ start: 0, end: 1, speaker: 'Ada', text: 'We decided on the budget.' }] };

describe('GET /recordings?updated_since', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada'), user('Bob')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
    service.setNow(NOW);
  });
  afterAll(() => service.stop());

  async function imported(name = 'Ada', fields: object = {}): Promise<string> {
    const made = recording(name, { createdAt: CREATED, ...fields });
    await service.import({ recordings: [made] });
    return made.id;
  }

  async function changedSince(time: Date | string, query = ''): Promise<string[]> {
    const since = encodeURIComponent(typeof time === 'string' ? time : time.toISOString());
    const { status, body } = await ada.get(`/recordings?limit=100&updated_since=${since}${query}`);
    expect(status).toBe(200);
    expect(body.pagination.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: string }) => id);
  }

  /** The recording looks as if it had never changed. */
  async function reset(id: string): Promise<void> {
    await service.dataSource.query(`UPDATE recordings SET updated_at = $2 WHERE id = $1`, [id, CREATED]);
  }

  /** The recording was not among those changed since now, and is after `change`. */
  async function expectChange(id: string, change: () => Promise<unknown>): Promise<void> {
    expect(await changedSince(NOW)).not.toContain(id);
    await change();
    expect(await changedSince(NOW)).toContain(id);
  }

  it('includes the time itself, to the millisecond, and reads offsets and dates', async () => {
    const id = await imported();
    await ada.patch(`/recordings/${id}`, { title: 'Renamed' });
    for (const time of [NOW, '2026-04-01', '2026-04-01T10:00:00.007+02:00', '1970-01-01'])
      expect(await changedSince(time)).toContain(id);
    for (const time of [new Date(NOW.getTime() + 1), '2026-04-02', '9999-12-31'])
      expect(await changedSince(time)).not.toContain(id);
  });

  it('combines with all other filters', async () => {
    const id = await imported('Ada', { organization: 'Acme', folder: 'Board', title: 'Zebra' });
    await ada.patch(`/recordings/${id}`, { notes: 'new' });
    const place = `&organization_id=${acme.id}&folder_id=${board.id}`;
    const created = '&date_from=2026-03-01&date_to=2026-03-01';
    expect(await changedSince(NOW, `${place}${created}&status=ERROR,COMPLETED&search=zebra`)).toEqual([id]);
    for (const other of ['&status=ERROR,UPLOADING', '&search=lion', '&date_from=2026-03-02'])
      expect(await changedSince(NOW, place + other)).toEqual([]);
  });

  describe('finds a recording after a change of', () => {
    it.each([
      ['title', { title: 'Renamed' }],
      ['notes', { notes: 'New' }],
      ['folder', { folder_id: board.id }],
      ['organization', { organization_id: null }],
    ])('%s', async (_, change) => {
      const id = await imported('Ada', { organization: 'Acme' });
      await expectChange(id, () => ada.patch(`/recordings/${id}`, change));
    });

    it('status, by a client', async () => {
      // To the worker, an upload created in the past would be idle.
      service.setNow(null);
      const { body } = await ada.post('/recordings', { title: 'Live' });
      service.setNow(NOW);
      const { id } = body.data;
      await reset(id);
      await expectChange(id, async () => {
        expect((await ada.patch(`/recordings/${id}`, { status: 'RECORDING' })).status).toBe(200);
      });
    });

    it('transcript: imported, corrected, renamed and restored', async () => {
      const id = await imported();
      const at = `/recordings/${id}/transcript`;
      const put = () => ada.request('PUT', at, { body: TRANSCRIPT });
      const steps = [
        put,
        put,
        () => ada.patch(`${at}/segments/0`, { text: 'We decided on the plan.' }),
        () => ada.patch(`${at}/speakers`, { from: 'Ada', to: 'Ada Lovelace' }),
        () => ada.post(`${at}/revisions/1/restore`),
      ];
      for (const [number, step] of steps.entries()) {
        await reset(id);
        await expectChange(id, async () => {
          const { status } = await step();
          expect([number, status]).toEqual([number, number === 4 ? 201 : 200]);
        });
      }
    });

    it('summary: started, generated, imported and restored', async () => {
      const id = await imported();
      await ada.request('PUT', `/recordings/${id}/transcript`, { body: TRANSCRIPT });
      await reset(id);
      await expectChange(id, () => ada.post(`/recordings/${id}/summary`));
      await reset(id);
      await eventually(async () => {
        expect((await ada.get(`/recordings/${id}/summary`)).body.data.status).toBe('completed');
      });
      await reset(id);
      await expectChange(id, () =>
        ada.request('PUT', `/recordings/${id}/summary`, { body: { content: 'Short.' } }),
      );
      await reset(id);
      const [, generated] = (await ada.get(`/recordings/${id}/summary/revisions`)).body.data;
      await expectChange(id, () =>
        ada.post(`/recordings/${id}/summary/revisions/${generated.revision}/restore`),
      );
    });

    it('its owner and its folder, by others who leave or are deleted', async () => {
      const left = await imported('Bob', { organization: 'Acme', folder: 'Archive' });
      const archive = (await ada.get(`/organizations/${acme.id}/folders?search=Archive`)).body.data[0].id;
      await expectChange(left, async () => {
        await ada.delete(`/organizations/${acme.id}/folders/${archive}`);
        await eventually(async () => expect(await changedSince(NOW)).toContain(left));
      });
    });
  });

  it('does not find a recording whose progress, share links or bytes changed', async () => {
    const id = await imported();
    await ada.post(`/recordings/${id}/share-link`);
    await service.dataSource.query(
      `UPDATE recordings SET progress = 0.5, stored_bytes = 7, packaging_id = gen_random_uuid() WHERE id = $1`,
      [id],
    );
    expect(await changedSince(NOW)).not.toContain(id);
    const { body } = await ada.get(`/recordings/${id}`);
    expect(body.data).toMatchObject({ updatedAt: CREATED, revision: 1 });
  });

  it.each([
    ['status', `'ERROR'`],
    ['owner_id', 'NULL'],
    ['media_key', 'gen_random_uuid()::text'],
  ])('is not left to the code that changes it: %s', async (column, value) => {
    const id = await imported('Bob', { organization: 'Acme' });
    await expectChange(id, () =>
      service.dataSource.query(`UPDATE recordings SET ${column} = ${value} WHERE id = $1`, [id]),
    );
    expect((await ada.get(`/recordings/${id}`)).headers.get('etag')).toBe('"2"');
  });
});
