import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../../../factories/workspace.js';
import type { Client } from '../../../support/client.js';
import { settled } from '../../../support/packaged.js';
import { eventually, startService, type TestService } from '../../../support/service.js';
import { SourceServer } from '../../../support/source-server.js';
import { created, fakeVideo } from '../../../support/uploads.js';

const QUOTA = 100_000;
const FILE = fakeVideo(QUOTA + 1);
const REASON = `Your FREE plan includes ${QUOTA} bytes, of which 0 are used, and at least ${FILE.length} more are needed. Delete recordings, or have an operator change the plan (GET /api/v1/plans) or QUOTA_FREE_STORED_BYTES.`;

describe('a file for which the quota has no room', () => {
  let service: TestService;
  let source: SourceServer;
  let ada: Client;

  beforeAll(async () => {
    const settings = { ALLOW_PRIVATE_ADDRESSES: 'true', QUOTA_FREE_STORED_BYTES: String(QUOTA) };
    service = await startService(settings, { worker: true });
    await service.import({ users: [user('Ada', { plan: 'FREE' })] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterEach(() => source.stop());
  afterAll(() => service.stop());

  it.each([
    ['announces its length', {}],
    ['announces no length', { chunked: true }],
  ])(
    'ends in ERROR with the reason and keeps neither bytes nor URL, if the server %s',
    async (_, behaviour) => {
      source = await SourceServer.start(FILE);
      source.next = [behaviour];
      const { id } = await created(ada, { source_url: source.url() });
      expect(await settled(ada, id)).toMatchObject({ status: 'ERROR', statusReason: REASON });
      expect(source.requests).toEqual(['all']);
      await eventually(async () => {
        expect(await service.dataSource.query('SELECT FROM upload_sources')).toEqual([]);
        expect((await service.objects()).filter((key) => key.includes(id))).toEqual([]);
      });
      const { body } = await ada.get('/me');
      expect(body.data.quotas.stored_bytes.used).toBe(0);
    },
  );

  it('does not say how much an organization uses, since everyone who sees the recording can read it', async () => {
    source = await SourceServer.start(FILE);
    const acme = organization('Acme', { plan: 'FREE', members: [member('Ada', 'EDITOR')] });
    await service.import({ organizations: [acme] });
    const { id } = await created(ada, { source_url: source.url(), organization_id: acme.id });
    expect(await settled(ada, id)).toMatchObject({
      statusReason: `The organization's FREE plan includes ${QUOTA} bytes, and there is not enough room. For more, have an operator change the plan (GET /api/v1/plans) or QUOTA_FREE_STORED_BYTES.`,
    });
  });
});
