import { existsSync, readFileSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UploadSource } from '../../src/modules/uploads/entities/upload.entity.js';
import { UploadSourcesService } from '../../src/modules/uploads/fetching/upload-sources.service.js';
import { startWorker } from '../../src/entrypoints/start-worker.js';
import { parseSettings } from '../../src/platform/config/settings.js';
import { deleteLost, openSealer, reseal } from '../../src/platform/sealing/sealing-keys.js';
import { keyOf } from '../factories/workspace.js';
import { changesOf } from '../support/changes.js';
import { startService, type TestService } from '../support/service.js';
import { type Link, SharedRecording, SharingWorkspace } from '../support/share-links.js';
import { createdWebhook, type CreatedWebhook } from '../support/webhooks.js';

const [OLD, NEW] = ['the-old-key-of-this-test-0123456789', 'the-new-key-of-this-test-0123456789'];
const URL_OF_FILE = 'https://files.example.com/call.mp4?token=of-the-file';
const HOOK = 'https://hooks.example.com/T0ken';
const ALL = {
  'share links': 1,
  'secrets of webhooks': 1,
  webhooks: 1,
  'URLs that uploads are fetched from': 1,
};
const REFUSED =
  /^SEALING_KEY: this database is in use with a key that is not available here \(id [0-9a-f]{16}\).*Without it, these cannot be decrypted: share links: 1, secrets of webhooks: 1, webhooks: 1, URLs that uploads are fetched from: 1\..*keys reseal --delete-lost/;

describe('the key that a database is sealed with', () => {
  let first: TestService;
  let subject: SharedRecording;
  let plain: Link;
  let webhook: CreatedWebhook;
  const others: TestService[] = [];

  beforeEach(async () => {
    first = await startService();
    const workspace = new SharingWorkspace(first);
    await workspace.load();
    subject = await workspace.record();
    plain = await subject.link();
    webhook = await createdWebhook(ada(first), { url: HOOK });
    const { status } = await ada(first).post('/recordings', { title: 'Call', source_url: URL_OF_FILE });
    expect(status).toBe(201);
  });
  afterEach(async () => {
    for (const service of others.splice(0)) await service.stop();
    await first.stop();
  });

  const ada = ({ api }: TestService) => api.as(keyOf('Ada'));
  const file = (name = 'sealing-key'): string => `${first.dataDir}/${name}`;
  const setting = (settings: Record<string, string> = {}) =>
    parseSettings({ DATA_DIR: first.dataDir, ...settings }).sealingKey;
  const keys = (): Promise<unknown[]> => first.dataSource.query('SELECT id FROM sealing_keys');

  /** Another process on the same database and folder. */
  async function another(settings: Record<string, string> = {}): Promise<TestService> {
    const service = await startService(settings, { beside: first });
    others.push(service);
    return service;
  }
  /** Whether a process can open everything that the first one has sealed. */
  async function expectAllOpen(service: TestService): Promise<void> {
    expect((await new SharedRecording(service, subject.id).link()).share_token).toBe(plain.share_token);
    expect((await ada(service).get(`/webhooks/${webhook.id}`)).body.data.url).toBe(HOOK);
    const [source] = await service.dataSource.manager.find(UploadSource);
    expect(service.app.get(UploadSourcesService).reveal(source!)).toBe(URL_OF_FILE);
  }

  it('stops every process that does not have it at the start, and never becomes a new one', async () => {
    renameSync(file(), `${file()}.away`);
    await expect(another()).rejects.toThrow(REFUSED);
    const environment = { DATABASE_URL: first.databaseUrl, DATA_DIR: first.dataDir, LOG_LEVEL: 'silent' };
    await expect(startWorker(environment)).rejects.toThrow(/sealing-key is missing/);
    await expect(openSealer(setting({ SEALING_KEY: NEW }), first.dataSource)).rejects.toThrow(REFUSED);
    await expect(openSealer(setting(), first.dataSource)).rejects.toThrow(REFUSED);
    expect(existsSync(file())).toBe(false);
    renameSync(`${file()}.away`, file());
    await expectAllOpen(await another());
  });

  it('is replaced process by process; once everything is sealed with the new one, the old one can go', async () => {
    const old = readFileSync(file(), 'utf8');
    const cursor = (await ada(first).get('/events')).body.pagination.next_cursor;
    const follow = async (service: TestService) =>
      (await ada(service).get(`/events?cursor=${cursor}`)).status;
    // First, the next key is accepted everywhere; then it is used.
    const next = await another({ SEALING_KEY_PREVIOUS: NEW });
    const both = { SEALING_KEY: NEW, SEALING_KEY_PREVIOUS: old };
    const used = await another(both);
    const made = await new SharedRecording(used, subject.id).link({ label: 'Customer' });
    expect(await new SharedRecording(next, subject.id).list()).toMatchObject([
      { share_token: made.share_token },
      { share_token: plain.share_token },
    ]);
    await expectAllOpen(used);
    expect(await follow(used)).toBe(200);
    await expect(openSealer(setting({ SEALING_KEY: NEW }), first.dataSource)).rejects.toThrow(REFUSED);

    const sealer = await openSealer(setting(both), first.dataSource);
    const logged = await changesOf(first.dataSource, async () => {
      expect(await reseal(sealer, first.dataSource)).toEqual(ALL);
    });
    expect(logged).toEqual([]);
    expect(await reseal(sealer, first.dataSource)).toEqual({});
    expect(await keys()).toEqual([{ id: sealer.keyId }]);
    const last = await another({ SEALING_KEY: NEW });
    await expectAllOpen(last);
    expect(await follow(last)).toBe(400);
  });

  it('can be lost for good: then what is sealed with it is deleted, and nothing else', async () => {
    const used = await another({ SEALING_KEY: NEW, SEALING_KEY_PREVIOUS: readFileSync(file(), 'utf8') });
    const kept = await new SharedRecording(used, subject.id).link({ label: 'Customer' });
    expect(await deleteLost(setting({ SEALING_KEY: NEW }), first.dataSource)).toEqual(ALL);
    const second = await another({ SEALING_KEY: NEW });
    expect(await new SharedRecording(second, subject.id).list()).toMatchObject([
      { share_token: kept.share_token },
    ]);
    expect((await ada(second).get('/webhooks')).body.data).toEqual([]);
    expect(await keys()).toHaveLength(1);
    expect(await deleteLost(setting({ SEALING_KEY: NEW }), first.dataSource)).toEqual({});
  });

  it('is not that of signed URLs, which is replaced in the same way', async () => {
    const old = readFileSync(file('url-signing-key'), 'utf8');
    const locked = await subject.link({ password: 'open sesame' });
    const entered = await first.api.post(`/shares/${locked.share_token}/access`, { password: 'open sesame' });
    const opened = async (service: TestService): Promise<number> => {
      const headers = { 'x-share-access': entered.body.data.access_token };
      return (await service.api.get(`/shares/${locked.share_token}`, { headers })).status;
    };
    const both = await another({ URL_SIGNING_KEY: NEW, URL_SIGNING_KEY_PREVIOUS: old });
    const alone = await another({ URL_SIGNING_KEY: OLD });
    expect([await opened(first), await opened(both), await opened(alone)]).toEqual([200, 200, 403]);
  });
});
