import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownDeletion } from '../factories/workspace.js';
import { startWorker } from '../../src/entrypoints/start-worker.js';
import { checkChain, findChains } from '../../src/modules/audit/seals/audit-verification.js';
import { SealingService } from '../../src/modules/audit/seals/sealing.service.js';
import { ERASURES } from '../../src/modules/erasure/erasure.queries.js';
import { PERSONAL_DATA } from '../../src/modules/erasure/personal-data.js';
import { SETTINGS, type Settings } from '../../src/platform/config/settings.js';
import { DatabaseServer } from '../../src/platform/database/servers/database-server.js';
import { refusal, type Reply } from '../support/client.js';
import { columnsWith, filesWith, textColumns } from '../support/details.js';
import { expectNone } from '../support/proofs.js';
import { eventually, type TestService } from '../support/service.js';
import { MANUAL } from '../support/settings.js';
import { SmtpServer } from '../support/smtp.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { deliveriesOf, startWithSender } from '../support/webhooks.js';
import { ADDRESS, erasureWorld, MARKERS, type ErasureWorld } from '../security/erasure-world.js';

type Subject = keyof typeof MARKERS;
const SUBJECTS = ['recording', 'member', 'organization', 'user'] as const satisfies readonly Subject[];
/** Not searchable, as they are encrypted. */
const SEALED = new Set([
  'upload_sources.url_sealed',
  'webhooks.url_sealed',
  'audit_streams.endpoint_sealed',
  'idempotency_keys.reply',
]);

/** The columns that the catalog says have details of the subject, in alphabetical order. */
const cataloged = (subject: Subject, ways: (way: string) => boolean = () => true): string[] =>
  Object.entries(PERSONAL_DATA)
    .filter(([column, { [subject]: way }]) => way !== undefined && ways(way) && !SEALED.has(column))
    .map(([column]) => column)
    .toSorted();
const isKept = (way: string): boolean => way.startsWith('kept: ');
const isLater = (way: string): boolean => isKept(way) || way === 'job';

describe('what is deleted', () => {
  let service: TestService & { stopSending: () => Promise<void> };
  let receiver: WebhookReceiver;
  let smtp: SmtpServer;
  let settings: Record<string, string>;
  let world: ErasureWorld;

  beforeAll(async () => {
    [receiver, smtp] = [await WebhookReceiver.start(), await SmtpServer.start()];
    smtp.behaviour = {
      at: 'recipient',
      answer: `450 4.2.1 The mailbox of ${MARKERS.user} is busy`,
    };
    settings = { ...smtp.settings(), ...MANUAL, ALLOW_PRIVATE_ADDRESSES: 'true', TRUST_PROXY: 'loopback' };
    service = await startWithSender(settings);
    world = await erasureWorld(service, receiver);
    // What was imported is not the service's.
    for (const name of await readdir(service.dataDir))
      if (name.startsWith('workspace-')) await rm(join(service.dataDir, name), { recursive: true });
    await runJobs();
    await service.app.get(SealingService).run();
  });
  afterAll(async () => {
    await service.stop();
    await smtp.stop();
    await receiver.stop();
  });

  const markers = (subject: Subject): string[] =>
    subject === 'user' ? [MARKERS.user, ADDRESS] : [MARKERS[subject]];
  const found = (subject: Subject): Promise<string[]> => columnsWith(service.dataSource, markers(subject));

  /** Runs a worker, in this process, until no job is due. */
  async function runJobs(): Promise<void> {
    const { databaseUrl, dataDir } = service;
    const worker = await startWorker({
      ...settings,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
    });
    await eventually(async () => {
      const due = await service.dataSource.query(
        `SELECT task_identifier FROM graphile_worker.jobs
         WHERE run_at <= now() AND attempts < max_attempts OR locked_at IS NOT NULL`,
      );
      expect(due).toEqual([]);
    });
    await worker.stop();
  }

  /** What the API shows to those who remain. The audit log names a former member, who is still a user. */
  async function shown(subject: Subject): Promise<string> {
    const isLogged = subject === 'member' ? (path: string) => !path.includes('audit-log') : () => true;
    const replies: Reply[] = [];
    for (const client of [world.olga, world.dora]) {
      for (const path of ['/recordings', '/organizations', '/webhooks', '/me/audit-log', '/events'].filter(
        isLogged,
      ))
        replies.push(await client.get(path));
      for (const path of ['audit-log?limit=100', 'members', 'invitations', 'folders'].filter(isLogged))
        for (const organization of [world.acme, world.gone])
          replies.push(await client.get(`/organizations/${organization}/${path}`));
    }
    for (const { id } of world.webhooks)
      for (const delivery of await deliveriesOf(world.olga, id, '?limit=100'))
        replies.push(await world.olga.get(`/webhooks/${id}/deliveries/${delivery.id}`));
    return JSON.stringify(replies.map(({ body }) => body)).toLowerCase();
  }

  const deletions: Record<Subject, () => Promise<Reply>> = {
    recording: () =>
      world.olga.post('/recordings/bulk', { action: 'delete', mode: 'all', ids: world.recordings }),
    member: () => world.olga.delete(`/organizations/${world.acme}/members/${world.leavingId}`),
    organization: () => world.dora.delete(`/organizations/${world.gone}?recordings=delete`),
    user: () => world.doomed.delete(ownDeletion(world.doomedEmail)),
  };

  it('has its details in exactly the columns that the catalog lists', async () => {
    for (const subject of SUBJECTS) {
      const columns = await found(subject);
      const missing = columns.filter((column) => !cataloged(subject).includes(column));
      expectNone(
        missing.map(
          (column) =>
            `${column} has details of a ${subject}: say how they are erased in PERSONAL_DATA of src/modules/erasure/personal-data.ts`,
        ),
      );
      expect([subject, columns]).toEqual([subject, cataloged(subject)]);
    }
    expect(await filesWith(service.dataDir, Object.values(MARKERS))).not.toEqual([]);
  });

  it('is erased by statements for columns of the catalog only, all of which exist', async () => {
    const columns = new Set(await textColumns(service.dataSource));
    expect(Object.keys(PERSONAL_DATA).filter((column) => !columns.has(column))).toEqual([]);
    for (const { of, when, columns: erased } of ERASURES)
      if (of !== 'webhook')
        for (const column of erased) {
          const { [of]: way } = PERSONAL_DATA[column]!;
          expect([of, column, way === 'job' || way === when]).toEqual([of, column, true]);
        }
  });

  it.each(SUBJECTS)('leaves of the %s only what jobs erase, and what is kept', async (subject) => {
    expect((await world.again[subject]()).status).toBe(200);
    expect((await deletions[subject]()).status).toBe(200);

    const text = await shown(subject);
    for (const marker of markers(subject))
      expect(
        text
          .split(marker)
          .map((before) => before.slice(-300))
          .slice(0, -1),
      ).toEqual([]);
    const code = subject === 'organization' ? 'ORGANIZATION_NOT_FOUND' : 'IDEMPOTENCY_REPLY_LOST';
    expect((await world.again[subject]()).body).toEqual(refusal(code));
    const later = new Set(cataloged(subject, isLater));
    expect((await found(subject)).filter((column) => !later.has(column))).toEqual([]);
  });

  it('is gone once the jobs have run, but for what is kept', async () => {
    await runJobs();
    for (const subject of SUBJECTS) {
      expect([subject, await found(subject)]).toEqual([subject, cataloged(subject, isKept)]);
      expect([subject, await filesWith(service.dataDir, markers(subject))]).toEqual([subject, []]);
    }
  });

  it('leaves no sealed address to fetch from, and a log that verifies', async () => {
    expect(await service.dataSource.query('SELECT FROM upload_sources')).toEqual([]);
    await service.app.get(SealingService).run();
    const { url } = service.app.get(DatabaseServer);
    const { auditDays } = service.app.get<Settings>(SETTINGS);
    const chains = await findChains(url);
    const reports = await Promise.all(chains.map((chain) => checkChain(url, chain, { auditDays })));
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
