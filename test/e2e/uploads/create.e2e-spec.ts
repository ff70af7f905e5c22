import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LANGUAGE_RULE } from '../../../src/lib/language/language-codes.js';
import { recordingDetail } from '../../factories/recording-detail.js';
import { emailOf, folder, id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { created, demoVideo, RawTus } from '../../support/uploads.js';

const NOW = '2026-03-02T10:00:00.000Z';
const EMOJI = '😀';
const TITLE = 'title: must be a string of 1 to 500 characters after trimming, without control characters';
const NO_TITLE =
  'title: is required and must be a string of 1 to 500 characters after trimming, without control characters';
const SIZE = 'size: must be an integer of at least 1';
const TYPE = 'content_type: must be an audio or video media type, such as video/mp4';
const LANGUAGE = `language: ${LANGUAGE_RULE}`;
const STARTED =
  'started_at: must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z';
const FOLDER = 'folder_id: must be an active folder of the organization';

describe('POST /recordings', () => {
  let service: TestService;
  let ada: Client;
  const open = folder('Open');
  const naming = folder('Naming', { restrictedTo: [emailOf('Edith')] });
  const closed = folder('Closed', { active: false });
  const foreign = folder('Foreign');
  const acme = organization('Acme', {
    members: [
      member('Olga', 'OWNER'),
      member('Adam', 'ADMIN'),
      member('Edith', 'EDITOR'),
      member('Edgar', 'EDITOR', { viewFolderRecordings: false }),
      member('Vera', 'VIEWER'),
    ],
    folders: [open, naming, closed],
  });
  const other = organization('Other', { members: [member('Edith', 'OWNER')], folders: [foreign] });
  const expired = organization('Expired', {
    members: [member('Edith', 'OWNER')],
    subscription: { status: 'expired', endsAt: null },
  });
  const lapsed = organization('Lapsed', {
    plan: 'PRO',
    members: [member('Edith', 'EDITOR')],
    subscription: { status: 'canceled', endsAt: null },
  });

  beforeAll(async () => {
    service = await startService({ MAX_UPLOAD_SIZE: '1000000', MAX_OPEN_UPLOADS: '200' });
    await service.import({
      users: ['Ada', 'Olga', 'Adam', 'Edith', 'Edgar', 'Vera', 'Stranger'].map((name) => user(name)),
      organizations: [acme, other, expired, lapsed],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const create = (body: unknown, name = 'Ada'): Promise<Reply> =>
    service.api.as(keyOf(name)).post('/recordings', body);

  const count = async (): Promise<number> =>
    (await service.dataSource.query('SELECT count(*)::int AS n FROM recordings'))[0].n;

  describe('for a personal recording', () => {
    it('answers 201 with the full detail and the upload URL', async () => {
      service.setNow(new Date(NOW));
      const { status, headers, body } = await create({ title: 'Weekly sync' });
      service.setNow(null);
      expect(status).toBe(201);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      const recordingId = body.data.id;
      expect(recordingId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(body.data).toEqual(
        recordingDetail({
          id: recordingId,
          status: 'UPLOADING',
          title: 'Weekly sync',
          createdAt: NOW,
          updatedAt: NOW,
          progress: 0,
          media: 'pending',
          upload_url: `http://localhost:${new URL(service.api.base).port}/api/v1/uploads/${recordingId}`,
        }),
      );
    });

    it.each([
      ['pt_br', 'pt-BR'],
      ['Auto', 'auto'],
    ])('takes the language %s as %s', async (language, code) => {
      const { id: recordingId } = await created(ada, { language });
      const sql = 'SELECT language FROM recordings WHERE id = $1';
      expect(await service.dataSource.query(sql, [recordingId])).toEqual([{ language: code }]);
    });

    it('appears in get (without upload_url) and in the list afterwards', async () => {
      const { upload_url: uploadUrl, ...detail } = await created(ada, { title: 'Seen' });
      expect(uploadUrl).toContain(detail.id);
      expect((await ada.get(`/recordings/${detail.id}`)).body).toEqual({ data: detail });
      const { body } = await ada.get('/recordings');
      expect(body.data[0]).toMatchObject({ id: detail.id, status: 'UPLOADING', media: 'pending' });
      expect((await service.api.as(keyOf('Stranger')).get(`/recordings/${detail.id}`)).status).toBe(404);
    });

    it.each([
      ['500 characters outside the Basic Multilingual Plane', EMOJI.repeat(500), EMOJI.repeat(500)],
      ['surrounding whitespace, which is trimmed', '\t Grüße \n', 'Grüße'],
    ])('accepts a title of %s', async (_, title, kept) => {
      expect((await create({ title })).body.data.title).toBe(kept);
    });

    it.each([
      ['a date', '2026-01-31', '2026-01-31T00:00:00.000Z'],
      ['a date-time in another time zone', '2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
    ])('accepts %s as the start of the meeting', async (_, given, kept) => {
      const { status, body } = await create({ title: 'x', started_at: given });
      expect(status).toBe(201);
      expect(body.data).toMatchObject({ startedAt: kept, endedAt: null });
    });

    it.each(['video/webm;codecs="vp9,opus"', 'AUDIO/MPEG'])(
      'accepts %s as the declared content type',
      async (type) => {
        expect((await create({ title: 'x', content_type: type })).status).toBe(201);
      },
    );

    it('accepts a size up to the limit, which the upload reports', async () => {
      const recording = await created(ada, { size: 1_000_000 });
      const { headers } = await new RawTus(ada, recording.id).head();
      expect([headers.get('upload-length'), headers.get('upload-offset')]).toEqual(['1000000', '0']);
    });

    it('refuses a size over the limit of the service with 413, and creates nothing', async () => {
      const before = await count();
      const { status, body } = await create({ title: 'x', size: 1_000_001 });
      expect(status).toBe(413);
      expect(body).toEqual(refusal('PAYLOAD_TOO_LARGE', 'size: must be at most 1000000 bytes'));
      expect(await count()).toBe(before);
    });

    it.each([
      ['no title', {}, NO_TITLE],
      ['a blank title', { title: ' \u00a0\n' }, TITLE],
      ['a title of 501 characters', { title: 'x'.repeat(501) }, TITLE],
      ['a title with NUL', { title: 'a\0b' }, TITLE],
      ['a fraction of a byte', { title: 'x', size: 1.5 }, SIZE],
      ['an image type', { title: 'x', content_type: 'image/png' }, TYPE],
      ['an impossible day', { title: 'x', started_at: '2026-02-30' }, STARTED],
      ['text for transcribe', { title: 'x', transcribe: 'false' }, 'transcribe: must be true or false'],
      ['what is no language', { title: 'x', language: 'Klingon' }, LANGUAGE],
      [
        'a folder without organization',
        { title: 'x', folder_id: open.id },
        'folder_id: requires organization_id',
      ],
      [
        'an unknown field',
        { title: 'x', status: 'COMPLETED' },
        'status: unknown field (allowed: title, organization_id, folder_id, started_at, media, content_type, size, source_url, transcribe, language, external_id, metadata)',
      ],
    ])('refuses %s with 400, and creates nothing', async (_, body, message) => {
      const before = await count();
      const reply = await create(body);
      expect(reply.body).toEqual(refusal('VALIDATION_ERROR', message));
      expect(reply.status).toBe(400);
      expect(await count()).toBe(before);
    });
  });

  describe('for an organization', () => {
    it.each(['Olga', 'Adam', 'Edith'])(
      'is allowed for OWNER, ADMIN and EDITOR, who becomes the owner: %s',
      async (name) => {
        const { status, body } = await create({ title: name, organization_id: acme.id }, name);
        expect(status).toBe(201);
        expect(body.data).toMatchObject({ organizationId: acme.id, folderId: null, title: name });
        const list = await service.api.as(keyOf(name)).get(`/recordings?organization_id=${acme.id}`);
        expect(list.body.data.map((item: { id: string }) => item.id)).toContain(body.data.id);
      },
    );

    it.each([
      [
        'a VIEWER',
        'Vera',
        acme.id,
        403,
        'FORBIDDEN',
        'The role VIEWER cannot create recordings; that needs the role OWNER, ADMIN or EDITOR.',
      ],
      [
        'a stranger',
        'Stranger',
        acme.id,
        403,
        'FORBIDDEN',
        'You are not a member of this organization; an OWNER or ADMIN of it can invite you.',
      ],
      ['an unknown organization', 'Edith', id(), 404, 'ORGANIZATION_NOT_FOUND', 'Organization not found.'],
      [
        'an expired ENTERPRISE organization',
        'Edith',
        expired.id,
        402,
        'ORGANIZATION_SUBSCRIPTION_EXPIRED',
        expect.stringMatching(/^The organization's Enterprise subscription .* --subscription active/),
      ],
    ])('refuses %s, and creates nothing', async (_, name, organizationId, status, code, message) => {
      const before = await count();
      const reply = await create({ title: 'x', organization_id: organizationId }, name);
      expect(reply.body).toEqual(refusal(code, message));
      expect(reply.status).toBe(status);
      expect(await count()).toBe(before);
    });

    it('is allowed in a PRO organization whose subscription has ended', async () => {
      expect((await create({ title: 'x', organization_id: lapsed.id }, 'Edith')).status).toBe(201);
    });

    it.each([
      ['an open folder', 'Edith', open],
      ['an open folder, without permission to view folders', 'Edgar', open],
      ['a restricted folder that names the EDITOR', 'Edith', naming],
      ['a restricted folder, for an OWNER', 'Olga', naming],
      ['a restricted folder, for an ADMIN', 'Adam', naming],
    ])('puts the recording into %s', async (_, name, into) => {
      const body = { title: 'x', organization_id: acme.id, folder_id: into.id };
      const reply = await create(body, name);
      expect(reply.status).toBe(201);
      expect(reply.body.data).toMatchObject({ organizationId: acme.id, folderId: into.id });
    });

    it.each([
      ['an unknown folder', 'Edith', id()],
      ["another organization's folder", 'Edith', foreign.id],
      ['an inactive folder', 'Olga', closed.id],
      ['a restricted folder that does not name the EDITOR', 'Edgar', naming.id],
    ])('refuses %s with 400, and creates nothing', async (_, name, folderId) => {
      const before = await count();
      const body = { title: 'x', organization_id: acme.id, folder_id: folderId };
      const reply = await create(body, name);
      expect(reply.body).toEqual(refusal('VALIDATION_ERROR', FOLDER));
      expect(reply.status).toBe(400);
      expect(await count()).toBe(before);
    });
  });
});

describe('POST /recordings and the limit of open uploads', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ MAX_OPEN_UPLOADS: '2' });
  });
  afterAll(() => service.stop());

  const MESSAGE = 'You have 2 open uploads, which is the limit. Finish or delete one first.';

  /** A separate user for each test. */
  const newUser = async (name: string): Promise<Client> => {
    await service.import({ users: [user(name)] });
    return service.api.as(keyOf(name));
  };
  const attempt = async (api: Client): Promise<number> =>
    (await api.post('/recordings', { title: 'x' })).status;

  it('refuses one more with 409 CONFLICT and names the limit; other users are not affected', async () => {
    const ada = await newUser('Ada');
    expect([await attempt(ada), await attempt(ada)]).toEqual([201, 201]);
    const { status, body } = await ada.post('/recordings', { title: 'x' });
    expect(status).toBe(409);
    expect(body).toEqual(refusal('CONFLICT', MESSAGE));
    expect((await ada.get('/recordings')).body.pagination.total).toBe(2);
    expect(await attempt(await newUser('Grace'))).toBe(201);
  });

  it('lets only one of many concurrent requests take the last slot', async () => {
    const ada = await newUser('Linus');
    await created(ada);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => attempt(ada)));
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect((await ada.get('/recordings')).body.pagination.total).toBe(2);
  });

  it('does not count complete uploads', async () => {
    const ada = await newUser('Finished');
    const video = demoVideo();
    const [first] = [await created(ada, { size: video.length }), await created(ada)];
    expect(await attempt(ada)).toBe(409);
    expect((await new RawTus(ada, first.id).patch(0, video)).status).toBe(204);
    expect([await attempt(ada), await attempt(ada)]).toEqual([201, 409]);
  });

  it('does not count refused or cancelled uploads', async () => {
    const ada = await newUser('Refused');
    const [first, second] = [await created(ada), await created(ada)];
    expect((await new RawTus(ada, first.id).patch(0, Buffer.alloc(5_000, 'text '))).status).toBe(415);
    expect((await new RawTus(ada, second.id).delete()).status).toBe(204);
    expect([await attempt(ada), await attempt(ada), await attempt(ada)]).toEqual([201, 201, 409]);
  });
});
