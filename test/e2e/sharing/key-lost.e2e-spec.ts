import { existsSync, readFileSync, renameSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { giveUpLostKeys, rotateSecrets } from '../../../src/entrypoints/cli/rotate-secrets.js';
import { startWorker } from '../../../src/entrypoints/start-worker.js';
import { parseSettings } from '../../../src/platform/config/settings.js';
import { startService, type TestService } from '../../support/service.js';
import { SharedRecording, SharingWorkspace, type Link } from '../../support/share-links.js';

const [OLD, NEW] = ['the-old-key-of-this-test-0123456789', 'the-new-key-of-this-test-0123456789'];
const REFUSED =
  /^SEALING_KEY: this database is in use with a key that is not available here \(id [0-9a-f]{16}\)/;

describe('a sealing key that does not fit the database', () => {
  let first: TestService;
  let subject: SharedRecording;
  let plain: Link;
  const others: TestService[] = [];

  async function begin(settings: Record<string, string> = {}): Promise<void> {
    first = await startService(settings);
    const workspace = new SharingWorkspace(first);
    await workspace.load();
    subject = await workspace.record();
    plain = await subject.link();
  }
  /** Another process on the same database and folder. */
  async function another(settings: Record<string, string> = {}): Promise<SharedRecording> {
    const service = await startService(settings, { beside: first });
    others.push(service);
    return new SharedRecording(service, subject.id);
  }
  afterEach(async () => {
    for (const service of others.splice(0)) await service.stop();
    await first.stop();
  });
  const file = (): string => `${first.dataDir}/sealing-key`;

  it('stops every process at the start, and never becomes a new one', async () => {
    await begin();
    renameSync(file(), `${file()}.away`);
    await expect(another()).rejects.toThrow(REFUSED);
    const environment = { DATABASE_URL: first.databaseUrl, DATA_DIR: first.dataDir, LOG_LEVEL: 'silent' };
    await expect(startWorker(environment)).rejects.toThrow(/sealing-key is missing/);
    await expect(another({ SEALING_KEY: NEW })).rejects.toThrow(REFUSED);
    const settings = parseSettings({ DATA_DIR: first.dataDir });
    await expect(rotateSecrets(settings, first.dataSource, { discardPrevious: false })).rejects.toThrow(
      REFUSED,
    );
    expect(existsSync(file())).toBe(false);
    renameSync(`${file()}.away`, file());
    expect((await (await another()).link()).share_token).toBe(plain.share_token);
  });

  it('can be given up: links work, addresses are not shown again, until the key is found', async () => {
    await begin();
    const lost = readFileSync(file(), 'utf8');
    renameSync(file(), `${file()}.away`);
    const ids = await giveUpLostKeys(parseSettings({ DATA_DIR: first.dataDir }), first.dataSource);
    expect(ids).toHaveLength(1);
    const second = await another();
    expect(await second.opens(plain)).toBe(200);
    expect(await second.list()).toMatchObject([{ id: plain.id, share_url: null, share_token: null }]);
    const next = await second.link();
    expect([next.id === plain.id, await second.opens(next), await second.opens(plain)]).toEqual([
      false,
      200,
      200,
    ]);
    expect((await second.patch(plain.id, { label: 'Still changes' })).body.data).toMatchObject({
      share_token: null,
    });

    const third = await another({ SEALING_KEY_PREVIOUS: lost });
    expect((await third.list()).map(({ share_token: token }) => token)).toEqual([
      next.share_token,
      plain.share_token,
    ]);
  });

  it('in the settings is replaced process by process, with every process knowing both', async () => {
    await begin({ SEALING_KEY: OLD });
    // First, the next key is accepted everywhere; then it is used; then the old one is resealed and goes.
    const next = await another({ SEALING_KEY: OLD, SEALING_KEY_PREVIOUS: NEW });
    const used = await another({ SEALING_KEY: NEW, SEALING_KEY_PREVIOUS: OLD });
    const made = await used.link({ label: 'Customer' });
    expect((await next.list()).map(({ share_token: token }) => token)).toEqual([
      made.share_token,
      plain.share_token,
    ]);
    await expect(another({ SEALING_KEY: NEW })).rejects.toThrow(REFUSED);

    const settings = parseSettings({ DATA_DIR: first.dataDir, SEALING_KEY: NEW, SEALING_KEY_PREVIOUS: OLD });
    expect((await rotateSecrets(settings, first.dataSource, { discardPrevious: false })).resealed).toBe(1);
    const last = await another({ SEALING_KEY: NEW });
    expect((await last.list()).map(({ share_token: token }) => token)).toEqual([
      made.share_token,
      plain.share_token,
    ]);
    expect(existsSync(file())).toBe(false);
  });
});
