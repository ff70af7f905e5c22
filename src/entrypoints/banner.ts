import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../contract/limits.js';
import { demoKeyFile } from '../platform/secrets/keys.js';

const COMMAND_LINE = fileURLToPath(new URL('./cli/main.js', import.meta.url));
/** Settings without which the command line cannot use the same database, and which are secrets. */
const SECRETS = ['DATABASE_URL', 'SEALING_KEY'];

/** Ends what the service shows without a terminal. */
export const READY = 'Meeting Recording Service is ready';

/** What the service shows once it is ready. */
export interface Introduction {
  /** URL of the service. */
  readonly base: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** The API key that was made for the demo, until it has been shown in a terminal. */
  readonly key: string | null;
  /** Email of the demo user, for the command that creates a key; null if there is none. */
  readonly email: string | null;
  /** URL that signs the demo user in, once, in a browser on this host; null if there is none. */
  readonly signIn: string | null;
  /** Whether `/docs` is served. */
  readonly docs: boolean;
  /** Whether `/mcp` is served. */
  readonly mcp: boolean;
  /** URL of the share page of the demo; null if there is none. */
  readonly sharePage: string | null;
}

/** Returns a banner for a terminal, otherwise a line like those of the log, which names the file of the key instead. */
export const introduce = (shown: Introduction): string =>
  process.stdout.isTTY ? banner(shown) : logLine(shown);

/** Writes what `introduce` has returned. A key is not shown again. */
export function showIntroduction(text: string, dataDir: string): void {
  process.stdout.write(text);
  if (process.stdout.isTTY) rmSync(demoKeyFile(dataDir), { force: true });
}

function banner(shown: Introduction): string {
  const { base, key, docs, mcp, sharePage, signIn } = shown;
  const lines = [
    signIn
      ? `Library    ${signIn}   (as the demo user; once, on this host, within ${LIMITS.signInLinkMinutes} minutes)`
      : `Library    ${base}/app`,
    `API        ${base}/api/v1`,
    ...(docs ? [`API docs   ${base}/docs`] : []),
    ...(mcp ? [`MCP server ${base}/mcp`] : []),
    ...(sharePage ? [`Share page ${sharePage}`] : []),
    key
      ? `API key    ${key}   (demo workspace; not shown again)`
      : `API key    create one: ${commandForKey(shown)}`,
  ];
  return `
Meeting Recording Service is ready.

${lines.map((line) => `  ${line}\n`).join('')}
  Try it:
  ${tryIt(base, `'Authorization: Bearer ${key ?? '<API_KEY>'}'`)}

`;
}

/** Not redacted: the share page and the link to sign in are those of the demo. */
function logLine(shown: Introduction): string {
  const { base, dataDir, key, docs, mcp, sharePage, signIn } = shown;
  const keyFile = demoKeyFile(dataDir);
  const line = {
    level: 30,
    time: new Date().toISOString(),
    library: `${base}/app`,
    ...(signIn ? { signIn } : {}),
    api: `${base}/api/v1`,
    ...(docs ? { docs: `${base}/docs` } : {}),
    ...(mcp ? { mcp: `${base}/mcp` } : {}),
    ...(sharePage ? { sharePage } : {}),
    ...(key ? { keyFile } : { createKey: commandForKey(shown) }),
    try: tryIt(base, `"Authorization: Bearer ${key ? `$(cat ${inShell(keyFile)})` : '<API_KEY>'}"`),
    msg: READY,
  };
  return `${JSON.stringify(line)}\n`;
}

const tryIt = (base: string, header: string): string =>
  `curl -s -H ${header} '${base}/api/v1/recordings?limit=3'`;

/** The command that creates a key, with what the environment says about where. */
function commandForKey({ email, dataDir }: Introduction): string {
  const { env } = process;
  const settings = [
    ...(env['DATA_DIR'] ? [`DATA_DIR=${inShell(dataDir)}`] : []),
    ...SECRETS.filter((name) => env[name]).map((name) => `${name}=<${name}>`),
    ...SECRETS.map((name) => `${name}_FILE`).flatMap((name) =>
      env[name] ? `${name}=${inShell(env[name])}` : [],
    ),
  ];
  const program = env['npm_lifecycle_event']
    ? 'npx mrs'
    : `node ${inShell(relative(process.cwd(), COMMAND_LINE))}`;
  const owner = email ? `--email ${email} --name demo` : '--email <E-MAIL> --name <NAME>';
  return [...settings, program, 'keys create', owner].join(' ');
}

const inShell = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
