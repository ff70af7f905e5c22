import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  STATUSES,
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  user,
} from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const dated = (day: string, title: string): object => recording('Grace', { title, createdAt: day });

describe('GET /recordings with filters', () => {
  let service: TestService;
  let ada: Client;
  const board = folder('Board');
  const closed = folder('Closed', { active: false });
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [board, closed] });
  const umbrella = organization('Umbrella', {
    members: [member('Grace', 'OWNER')],
    folders: [folder('Lab')],
  });

  beforeAll(async () => {
    service = await startService();
    const titles = ['Weekly sync', '100% done', 'snake_case', 'back\\slash', 'ÄRGER ÜBER ÖL', 'ÉCOLE'];
    titles.push('GRÖSSE', 'grosse', 'Größe', 'Ｑ3 ﬁnal: ΜΈΓΕΘΟΣ');
    await service.import({
      users: [user('Ada'), user('Grace'), user('Linus')],
      organizations: [acme, umbrella],
      recordings: [
        ...titles.map((title) => recording('Ada', { title })),
        recording('Ada', { title: 'in the board', organization: 'Acme', folder: 'Board' }),
        recording('Ada', { title: 'in a closed folder', organization: 'Acme', folder: 'Closed' }),
        recording('Ada', { title: 'in no folder', organization: 'Acme' }),
        dated('2026-01-30T23:59:59.999Z', 'eve'),
        dated('2026-01-31T00:00:00Z', 'midnight'),
        dated('2026-01-31T12:00:00Z', 'noon'),
        dated('2026-01-31T23:59:59.999Z', 'last'),
        dated('2026-02-01T00:00:00Z', 'morrow'),
        ...STATUSES.map((status) => recording('Linus', { title: status, status })),
      ],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const titles = async (query: Record<string, string>, api = ada): Promise<string[]> => {
    const { status, body } = await api.get(`/recordings?${new URLSearchParams({ limit: '100', ...query })}`);
    expect(status).toBe(200);
    const found: string[] = body.data.map((item: { title: string }) => item.title);
    expect(body.pagination).toEqual({
      total: found.length,
      limit: 100,
      offset: 0,
      has_more: false,
      next_cursor: null,
    });
    return found.sort();
  };

  it.each([
    ['KLY SY', ['Weekly sync']],
    ['c', ['Weekly sync', 'in a closed folder', 'snake_case', 'back\\slash', 'ÉCOLE'].sort()],
    ['%', ['100% done']],
    ['e_c', ['snake_case']],
    ['\\', ['back\\slash']],
    ['ärger über öl', ['ÄRGER ÜBER ÖL']],
    ['ARGER', ['ÄRGER ÜBER ÖL']],
    ['GRÖSSE', ['GRÖSSE', 'Größe', 'grosse']],
    ['o\u0308ß', ['GRÖSSE', 'Größe', 'grosse']],
    ['rosse', ['GRÖSSE', 'Größe', 'grosse']],
    ['q3 final: μεγεθος', ['Ｑ3 ﬁnal: ΜΈΓΕΘΟΣ']],
    ['％', ['100% done']],
    [`' OR 1=1 --`, []],
  ])('finds titles that contain %j, ignoring case', async (search, found) => {
    expect(await titles({ search })).toEqual(found);
  });

  it.each([
    ...STATUSES.map((status): [string, string[]] => [status, [status]]),
    ['ERROR,COMPLETED,ERROR', ['COMPLETED', 'ERROR']],
    [STATUSES.join(','), [...STATUSES].sort()],
  ])('finds recordings by any of the statuses %s', async (status, found) => {
    expect(await titles({ status }, service.api.as(keyOf('Linus')))).toEqual(found);
  });

  it.each([
    [{ date_from: '2026-01-31' }, ['last', 'midnight', 'morrow', 'noon']],
    [{ date_to: '2026-01-31' }, ['eve', 'last', 'midnight', 'noon']],
    [{ date_from: '2026-01-31', date_to: '2026-01-31' }, ['last', 'midnight', 'noon']],
    [{ date_from: '2026-01-31T12:00:00.001Z', date_to: '2026-01-31' }, ['last']],
    [{ date_from: '2026-01-31T14:00:00+02:00', date_to: '2026-01-31T07:00:00-05:00' }, ['noon']],
    [{ date_from: '2026-02-01T00:00:00.001Z' }, []],
  ])('filters by the dates of %j', async (query, found) => {
    expect(await titles(query, service.api.as(keyOf('Grace')))).toEqual(found);
  });

  it('scopes to an organization, and within it to a folder', async () => {
    const inAcme = { organization_id: acme.id };
    expect(await titles(inAcme)).toEqual(['in a closed folder', 'in no folder', 'in the board']);
    expect(await titles({ ...inAcme, folder_id: board.id })).toEqual(['in the board']);
  });

  it('combines filters', async () => {
    const inAcme = { organization_id: acme.id, status: 'COMPLETED', date_from: '2026-01-01' };
    expect(await titles({ ...inAcme, search: 'FOLDER' })).toEqual(['in a closed folder', 'in no folder']);
    expect(await titles({ ...inAcme, search: 'folder', status: 'ERROR' })).toEqual([]);
  });

  it.each([
    ['unknown', () => id()],
    ['inactive', () => closed.id],
    ['foreign', () => (umbrella['folders'] as { id: string }[])[0]?.id ?? ''],
    ['not a UUID', () => 'board'],
  ])('returns an empty page for a folder that is %s', async (_, folderId) => {
    expect(await titles({ organization_id: acme.id, folder_id: folderId() })).toEqual([]);
  });

  it.each([
    ['unknown', () => id(), 404, 'ORGANIZATION_NOT_FOUND'],
    ['not a UUID', () => 'acme', 404, 'ORGANIZATION_NOT_FOUND'],
    ['of another user', () => umbrella.id, 403, 'FORBIDDEN'],
  ])('refuses an organization that is %s', async (_, organizationId, status, code) => {
    const reply = await ada.get(`/recordings?organization_id=${organizationId()}`);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual(refusal(code));
  });

  it.each([
    ...['0', '101', '1.5', 'ten', ''].map((value) => ['limit', `limit=${value}`]),
    ['offset', 'offset=-1'],
    ['search', 'search=a%00b'],
    ...['completed', 'COMPLETED,'].map((value) => ['status', `status=${value}`]),
    ...['date_from', 'date_to', 'updated_since'].map((name) => [name, `${name}=2026-02-30`]),
    ['date_from', 'date_from=2026-02-01&date_to=2026-01-31'],
    ['organization_id', 'organization_id='],
    ['organization_id', `folder_id=${id()}`],
    ['folder_id', `organization_id=${id()}&folder_id=`],
    ['limit', 'limit=5&limit=5'],
    ['page', 'page=2'],
  ])('refuses and names %s in ?%s', async (name = '', query = '') => {
    const { status, body } = await ada.get(`/recordings?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(name)));
  });

  it('reports all errors at once', async () => {
    const { body } = await ada.get('/recordings?limit=0&offset=-1&status=DONE');
    expect(body.error.message).toMatch(/limit.*offset.*status/);
  });
});
