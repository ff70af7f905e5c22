import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../../factories/workspace.js';
import { refusal, type Client } from '../../../support/client.js';
import { startService, type TestService } from '../../../support/service.js';

const RULE =
  'source_url: must be an https URL of a public host, on port 443 or one from 1024 up, without user name and password (ALLOW_PRIVATE_ADDRESSES permits others)';

describe('a source_url', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({ MAX_OPEN_UPLOADS: '1' });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const create = (fields: object) => ada.post('/recordings', { title: 'Weekly sync', ...fields });

  it.each([
    'not a url',
    'http://files.example.com/a.mp4',
    'file:///etc/passwd',
    'https://ada:secret@files.example.com/a.mp4',
    'https://files.example.com:25/a.mp4',
    'https://localhost:3000/a.mp4',
    'https://0x7f.1/a.mp4',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:10.0.0.1]/a.mp4',
    'https://10.0.0.1/a.mp4',
  ])('%s is refused, and nothing is created', async (url) => {
    const { status, body } = await create({ source_url: url });
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', RULE));
    expect((await ada.get('/recordings')).body.pagination.total).toBe(0);
  });

  it.each([[''], [5], [null], ['https://files.example.com/'.padEnd(8_001, 'a')]])(
    'of another type or length is refused: %j',
    async (url) => {
      const { status, body } = await create({ source_url: url });
      expect(status).toBe(400);
      expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringMatching(/^source_url: /)));
    },
  );

  it('cannot be combined with a size', async () => {
    const { status, body } = await create({ source_url: 'https://files.example.com/a.mp4', size: 5 });
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', 'size: cannot be combined with source_url'));
  });

  it('counts as an open upload until it has been fetched', async () => {
    const url = 'https://files.example.com/a.mp4';
    expect((await create({ source_url: url })).status).toBe(201);
    expect((await create({ source_url: url })).status).toBe(409);
  });
});
