import { fork } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgres, runningUrl } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { processExists } from '../../../lib/embedded-postgres/postmaster.js';
import { withSuggestion } from '../../../lib/nearest-name.js';
import { PROJECT_ROOT } from '../../../lib/project-root.js';
import { quoteForMessage } from '../../../lib/text.js';
import { ApiKeysService } from '../../../modules/api-keys/api-keys.service.js';
import { ApiKey } from '../../../modules/api-keys/entities/api-key.entity.js';
import { User } from '../../../modules/users/entities/user.entity.js';
import { UsersService } from '../../../modules/users/users.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { SECRET_SETTINGS, SETTING_NAMES } from '../../../platform/config/settings.schema.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { READY } from '../../banner.js';
import { failed, usageError } from '../exit-status.js';
import { withDatabase, type Host } from '../host.js';
import { fieldLines, print, type Output } from '../output.js';
import { interruptible } from '../progress.js';

const SERVICE = fileURLToPath(new URL('../../../main.js', import.meta.url));
/** Begins the names of the folders of this host, whose processes have ids of their own; that of its process follows. */
const FOLDER = `mrs-dev-${hostname()}-`;
const REMOVED = { recursive: true, force: true, maxRetries: 5 };
const PARENT_POLL_MS = 200;
const NEW = { creates: true, writes: true };

/** For a receiver of webhooks on this computer, and tests that are not slowed down by many processes. */
const USUAL = { PORT: '0', ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'warn', WEB_CONCURRENCY: '1' };
/** With these it would not be empty, or leave something behind. */
const REFUSED = new Set([
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'S3_BUCKET',
  'HOST',
  'DEMO',
]);

interface DevOptions extends Output {
  readonly set?: readonly string[];
  readonly operator?: boolean;
}

/** `dev`: an empty service until it is interrupted, or the process that started it ends. */
export async function runDev(options: DevOptions): Promise<void> {
  const given = settingsOf(options.set ?? []);
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER}${process.pid}-`));
  // Neither the environment nor a `.env` is about this service.
  process.chdir(folder);
  const { env } = process;
  for (const name of [...SETTING_NAMES, ...SECRET_SETTINGS.map((one) => `${one}_FILE`)]) delete env[name];
  Object.assign(env, USUAL, given, { DATA_DIR: folder, HOST: '127.0.0.1', DEMO: 'false' });
  try {
    await interruptible((signal) =>
      withDatabase((host) => serve(host, options, AbortSignal.any([signal, parentGone()])), NEW),
    );
  } finally {
    process.chdir(tmpdir());
    await rm(folder, REMOVED);
  }
}

function settingsOf(given: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  const names: readonly string[] = SETTING_NAMES.filter((name) => !REFUSED.has(name));
  for (const one of given) {
    const [name = '', ...value] = one.split('=');
    if (value.length === 0) throw usageError(`--set: must be NAME=VALUE, not ${quoteForMessage(one)}`);
    if (REFUSED.has(name)) throw usageError(`--set: ${name} cannot be set: the service is a throw-away`);
    if (!names.includes(name))
      throw usageError(withSuggestion(`--set: there is no setting ${quoteForMessage(name)}`, name, names));
    settings[name] = value.join('=');
  }
  return settings;
}

async function serve({ manager }: Host, options: DevOptions, signal: AbortSignal): Promise<void> {
  const users = new UsersService(manager.getRepository(User), new Clock());
  const person = { email: 'dev@example.test', emailVerified: true, name: 'Dev', plan: 'PRO' as const };
  const { id } = await users.create(person, COMMAND_LINE);
  if (options.operator) await users.update(id, { operator: true }, COMMAND_LINE);
  const keys = new ApiKeysService(manager.getRepository(ApiKey), new Clock());
  const { key } = await keys.create(id, { name: 'dev' }, COMMAND_LINE);
  if (signal.aborted) return;
  // It stops, with its worker, also when this process is killed: the channel between them closes.
  const service = fork(SERVICE, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = once(service, 'exit');
  signal.addEventListener('abort', () => service.kill('SIGTERM'));
  for await (const line of createInterface({ input: service.stdout! })) {
    if (line.includes(READY)) show(options, line, { key, user_id: id });
    else process.stderr.write(`${line}\n`);
  }
  await ended;
  if (!signal.aborted) throw failed('The service has ended; see above');
}

/** `shown`: what the service shows once it is ready. */
function show(output: Output, shown: string, made: { key: string; user_id: string }): void {
  const { api, docs } = JSON.parse(shown) as { api: string; docs?: string };
  const url = api.replace(/\/api\/v1$/, '');
  const meeting = join(PROJECT_ROOT, 'demo', 'ten-seconds.mp4');
  const lines = fieldLines([
    ['API', api],
    ...(docs ? [['API docs', docs] as const] : []),
    ['API key', made.key],
    ['Meeting', `${meeting} (short, to upload)`],
    ['Commands', `export MRS_URL=${url} MRS_API_KEY=${made.key}`],
  ]);
  print(output, { url, api, docs, ...made, meeting }, `${lines}\n\nCtrl-C ends it and removes everything.`);
}

/** Aborts when the process that started this one has ended: killed, it forwards no signal. */
function parentGone(): AbortSignal {
  const gone = new AbortController();
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && gone.abort(), PARENT_POLL_MS).unref();
  return gone.signal;
}

/** Removes what killed processes of this user have left, also a database that runs. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number.parseInt(name.slice(FOLDER.length), 10);
    if (!name.startsWith(FOLDER) || processExists(pid)) continue;
    const found = join(tmpdir(), name);
    const { uid } = await lstat(found);
    if (uid !== (process.getuid?.() ?? uid)) continue;
    // So that no other process removes it at the same time.
    const dataDir = join(tmpdir(), `${FOLDER}${process.pid}-${name}`);
    await rename(found, dataDir);
    if (await runningUrl(dataDir)) await (await EmbeddedPostgres.open({ dataDir })).release();
    await rm(dataDir, REMOVED);
  }
}
