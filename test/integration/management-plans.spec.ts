import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import { fill, readsOf, rowsIn } from '../support/plans.js';
import { startService, type TestService } from '../support/service.js';

const USERS = 10_000;
const ORGANIZATIONS = 2_000;
const FILL = [
  `INSERT INTO users (id, email, name, plan, external_id, metadata, created_at)
   SELECT gen_random_uuid(), 'user' || n || '@many.test', 'User ' || n, 'PRO', 'user-' || n,
          jsonb_build_object('crm', n::text), now() - n * interval '1 minute'
   FROM generate_series(1, ${USERS}) AS n`,
  `INSERT INTO organizations (id, name, plan, subscription_status)
   SELECT gen_random_uuid(), 'Organization ' || n, 'PRO', 'active' FROM generate_series(1, ${ORGANIZATIONS}) AS n`,
  `INSERT INTO organization_members (organization_id, user_id, role)
   SELECT o.id, u.id, 'EDITOR'
   FROM (SELECT id, row_number() OVER () % ${ORGANIZATIONS} AS n FROM users) u
   JOIN (SELECT id, row_number() OVER () % ${ORGANIZATIONS} AS n FROM organizations) o ON o.n = u.n
   ON CONFLICT DO NOTHING`,
  `INSERT INTO folders (id, organization_id, name, active)
   SELECT gen_random_uuid(), o.id, 'Folder ' || n, true FROM organizations o, generate_series(1, 3) AS n`,
  `INSERT INTO oauth_clients (id, dynamic, name, metadata, created_at)
   SELECT gen_random_uuid(), true, 'Assistant', '{"redirect_uris": []}', now() FROM generate_series(1, 10000)`,
  `INSERT INTO legal_holds (id, organization_id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
   SELECT gen_random_uuid(), o.id, 'Case', 'Letter', '{}', '{}', '{}', now() - n * interval '1 hour'
   FROM organizations o, generate_series(1, 5) AS n`,
  `INSERT INTO recordings (id, organization_id, title, title_folded, status, progress, created_at, updated_at, placed_at)
   SELECT gen_random_uuid(), id, 'Sync', 'sync', 'COMPLETED', 1, now(), now(), now() FROM organizations`,
  `INSERT INTO transcripts (recording_id, status, speakers, segments_count, duration)
   SELECT id, 'completed', '{}', 0, 0 FROM recordings`,
  `INSERT INTO transcript_voices (recording_id, number, organization_id, speaker, named_at, seconds, model, embedding)
   SELECT id, n, organization_id, 'Person ' || n, now(), 9, 'voices.onnx', '' FROM recordings, generate_series(1, 10) AS n`,
];
const TABLES = [
  'users',
  'organizations',
  'organization_members',
  'folders',
  'invitations',
  'oauth_clients',
  'legal_holds',
  'recordings',
  'transcripts',
  'transcript_voices',
];
/** More than a page of what belongs to Acme (`$1`), and of organizations of Ada (`$2`). */
const FILL_ACME = [
  `INSERT INTO organization_members (organization_id, user_id, role)
   SELECT $1::uuid, id, 'EDITOR' FROM users WHERE id <> $2::uuid ORDER BY id LIMIT 30 ON CONFLICT DO NOTHING`,
  `INSERT INTO organization_members (organization_id, user_id, role)
   SELECT id, $2::uuid, 'EDITOR' FROM organizations WHERE id <> $1::uuid ORDER BY id LIMIT 30 ON CONFLICT DO NOTHING`,
  `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, language, mail_status, created_at, sent_at, expires_at)
   SELECT gen_random_uuid(), $1::uuid, 'new' || n || '@many.test', 'VIEWER', sha256(n::text::bytea), $2::uuid, 'en', 'none', now(), now(),
          now() + interval '1 day' FROM generate_series(1, 30) AS n`,
];

describe('lists of organizations among 10,000 users, 2,000 organizations and 6,000 folders', () => {
  let service: TestService;
  const ada = user('Ada');
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER')],
    folders: Array.from({ length: 30 }, (_, n) => ({ id: v7(), name: `Shelf ${n}` })),
  });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada], organizations: [acme] });
    await fill(service.dataSource, TABLES, [
      ...FILL.map((statement) => [statement] as const),
      ...FILL_ACME.map((statement) => [statement, [acme.id, ada.id]] as const),
    ]);
    await service.dataSource.query(`UPDATE users SET operator = true WHERE email = 'ada@acme.test'`);
  });
  afterAll(() => service.stop());

  /** Rows that the statements of a request read from tables. */
  const rowsRead = async (path: string): Promise<number> =>
    rowsIn(
      await readsOf(service.dataSource, async () =>
        expect((await service.api.as(keyOf('Ada')).get(path)).status).toBe(200),
      ),
    );

  it.each([
    ['/organizations', '?search=Acme&limit=5'],
    ['/organizations/:id/folders', '?search=Shelf&limit=5&all=true'],
    ['/organizations/:id/members', '?search=Ada&limit=5'],
    ['/organizations/:id/invitations', '?search=ada&limit=5'],
    ['/organizations/:id/voices', '?search=person&limit=5'],
    ['/users', '?search=user9999&limit=5'],
    ['/users', '?limit=5'],
    ['/users', '?external_id=user-9999'],
    ['/users', '?metadata[crm]=9999'],
    ['/oauth-clients', '?organization_id=:id'],
    ['/oauth-clients', ''],
    ['/legal-holds', '?organization_id=:id&limit=5'],
    ['/legal-holds', '?limit=5'],
  ])('GET %s%s: reads only the rows of the organization, or of the page', async (path, query) => {
    expect(await rowsRead((path + query).replace(':id', acme.id))).toBeLessThan(200);
  });

  it.each([
    '/organizations',
    '/organizations/:id/folders',
    '/organizations/:id/members',
    '/organizations/:id/invitations',
    '/organizations/:id/voices',
    '/users',
  ])('GET %s: a page by cursor reads only the rows of the organization, or of the page', async (path) => {
    const list = `${path.replace(':id', acme.id)}?limit=1`;
    const { body } = await service.api.as(keyOf('Ada')).get(list);
    const { next_cursor: cursor } = body.pagination;
    expect(cursor).toEqual(expect.any(String));
    expect(await rowsRead(`${list}&cursor=${cursor}`)).toBeLessThan(200);
  });
});
