import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client as PostgresClient } from 'pg';
import { EmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { keyOf, member, organization, folder, user } from '../factories/workspace.js';
import { Client } from '../support/client.js';
import { installLastRelease, LAST_RELEASE, RELEASED, releasedContract } from '../support/last-release.js';
import { settled, upload } from '../support/packaged.js';
import { query, RunningService, Sandbox, until, type Ended } from '../support/process.js';
import { eventually } from '../support/service.js';
import { UpgradeLoad } from '../support/upgrade-load.js';
import { demoVideo } from '../support/uploads.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const CLIENTS = 3;
/** Rounds that each client makes in a phase. */
const ROUNDS = 3;
const UNLIMITED = {
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_COSTLY_PER_MINUTE: '0',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
  ALLOW_PRIVATE_ADDRESSES: 'true',
};

RELEASED.describe(`from ${LAST_RELEASE.version} to this release`, () => {
  const sandbox = new Sandbox();
  let old: string;
  let server: EmbeddedPostgres;
  let settings: Record<string, string>;
  let receiver: WebhookReceiver;
  let loads: UpgradeLoad[];
  let service: RunningService;
  let film: string;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [folder('Sales')] });

  const startOld = async (): Promise<RunningService> => {
    const program = await sandbox.run([join(old, 'scripts/start.js')], {
      PORT: '0',
      WEB_CONCURRENCY: '1',
      ...settings,
    });
    return RunningService.from(program);
  };
  const ada = (of: RunningService): Client => of.api.as(keyOf('Ada'));
  const adaOfOld = (of: RunningService): Client => new Client(of.base, keyOf('Ada'), releasedContract());
  const tables = async (): Promise<string[]> =>
    (
      (await query(
        server.url,
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
      )) as { name: string }[]
    ).map(({ name }) => name);
  const rollBack = (...options: string[]): Promise<Ended> =>
    sandbox.cli(settings, '--quiet', 'rollback', LAST_RELEASE.version, ...options);

  /** Keeps everyone from changing a table until `release`; `waiting` ends once somebody wants to. */
  async function hold(table: string) {
    const client = new PostgresClient({ connectionString: server.url });
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS SHARE MODE`);
    const waiting = () =>
      until('a wait for the lock', async () => {
        const rows = await query(
          server.url,
          `SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`,
        );
        return rows.length > 0;
      });
    return { waiting, release: () => client.end() };
  }

  /** Each client has made some more rounds. */
  async function moreRounds(): Promise<void> {
    const enough = loads.map(({ rounds }) => rounds + ROUNDS);
    await until('more rounds', () => loads.every(({ rounds }, index) => rounds >= enough[index]!), 120_000);
  }

  beforeAll(async () => {
    old = installLastRelease();
    server = await EmbeddedPostgres.open({ dataDir: await sandbox.folder(), settings: { fsync: 'off' } });
    receiver = await WebhookReceiver.start();
    settings = {
      DATABASE_URL: server.url,
      DATA_DIR: await sandbox.folder(),
      ...UNLIMITED,
      MAX_OPEN_UPLOADS: '1000',
    };
    await writeFile(
      join(settings['DATA_DIR']!, 'workspace.json'),
      JSON.stringify({ users: [user('Ada')], organizations: [acme] }),
    );
    const file = join(settings['DATA_DIR']!, 'workspace.json');
    const importing = await sandbox.run([join(old, 'scripts/cli.js'), 'import', file], settings);
    expect(await importing.ended).toMatchObject({ status: 0 });
    service = await startOld();
  }, 600_000);
  afterAll(async () => {
    await sandbox.cleanUp();
    await receiver?.stop();
    await server?.release();
  });

  it('a rolling restart under load refuses nothing, and loses nothing that was acknowledged', async () => {
    const api = adaOfOld(service);
    const { status: hooked } = await api.post('/webhooks', {
      url: receiver.url('/old'),
      types: ['recording.created'],
    });
    expect(hooked).toBe(201);
    film = await upload(api, demoVideo(), { title: 'Depot', organization_id: acme.id });
    await settled(api, film);
    loads = Array.from({ length: CLIENTS }, () => new UpgradeLoad(api));
    for (const load of loads) load.start();
    await moreRounds();

    await migrate(server.url);
    await moreRounds();

    const next = await sandbox.start(settings);
    await moreRounds();
    for (const load of loads) load.api = ada(next);
    await moreRounds();
    await service.stop();
    service = next;
    await moreRounds();
    await Promise.all(loads.map((load) => load.end()));

    const replies = [...new Set(loads.flatMap((load) => [...load.replies.keys()]))].sort();
    expect(replies.filter((line) => !/ 20[01]$/.test(line))).toEqual([]);
    for (const load of loads) await load.expectAllIn(ada(service));
    const all = loads.flatMap((load) => load.made);
    await until('webhooks', () => receiver.at('/old').length > all.length, 30_000);
  }, 300_000);

  it('what was made before reads right: media, words by any spelling, revisions of summaries', async () => {
    const api = ada(service);
    const detail = (await api.get(`/recordings/${film}`)).body.data;
    expect(detail).toMatchObject({ title: 'Depot', status: 'COMPLETED', organizationId: acme.id });
    expect((await fetch(detail.hlsUrl)).status).toBe(200);
    const [first] = loads.flatMap((load) => load.made);
    await eventually(async () => {
      const found = await api.get(`/recordings?search=${encodeURIComponent('creme brulee round-0')}`);
      expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(first!.id);
    });
    // The second pass, a day later, is for what the older release wrote meanwhile.
    await query(
      server.url,
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now() + interval '20 h'`,
    );
    await until('the search index', async () => {
      const left = await query(
        server.url,
        `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'search.respell'`,
      );
      return left.length === 0;
    });
    for (const { id, title } of loads.flatMap((load) => load.made)) {
      const { body } = await api.get(
        `/recordings/search?q=${encodeURIComponent(title.replace('Crème brûlée', 'creme brulee'))}`,
      );
      expect(body.data.map(({ id: found }: { id: string }) => found)).toContain(id);
      const revisions = await api.get(`/recordings/${id}/summary/revisions`);
      expect(revisions.body.data).toHaveLength(1);
    }
  }, 120_000);

  it('rolls back only while no service runs, all or nothing, and the older release has its data', async () => {
    const running = await rollBack();
    expect([running.status, running.stderr]).toEqual([
      3,
      expect.stringMatching(/^error: The service is running: api on /),
    ]);
    const limited = await ada(service).post('/api-keys', { name: 'narrow', scopes: ['read-only'] });
    expect([limited.status, limited.body.error]).toEqual([201, undefined]);
    await service.stop();
    const before = await tables();

    const lock = await hold('summaries');
    const interrupted = await sandbox.run(
      [resolve('scripts/cli.js'), 'rollback', LAST_RELEASE.version],
      settings,
    );
    await lock.waiting();
    await interrupted.kill('SIGKILL');
    await lock.release();
    await eventually(async () => expect(await tables()).toEqual(before));

    const { status, stdout, stderr } = await rollBack('--json');
    expect([status, stderr]).toEqual([0, '']);
    const { lost, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ release: LAST_RELEASE.version, changed: true });
    const made = loads.flatMap((load) => load.made).length;
    expect(lost).toEqual(
      expect.arrayContaining([
        { name: 'summary_revisions', rows: made },
        { name: 'api_keys.scopes', rows: 1 },
      ]),
    );
    expect(await tables()).not.toContain('summary_revisions');
    expect((await rollBack()).stdout).toMatch(/Nothing was changed\.$/m);

    service = await startOld();
    for (const load of loads) await load.expectAllIn(adaOfOld(service));
    await service.stop();
  }, 180_000);

  it('a migration that is killed changes nothing, and two that begin at once take turns', async () => {
    const before = await tables();
    const lock = await hold('share_links');
    const killed = await sandbox.launch(settings);
    await lock.waiting();
    await killed.kill('SIGKILL');
    await lock.release();
    await eventually(async () => expect(await tables()).toEqual(before));

    const [one, two] = await Promise.all([sandbox.start(settings), sandbox.start(settings)]);
    service = one;
    for (const load of loads) await load.expectAllIn(ada(two));
    await two.stop();
  }, 180_000);
});
