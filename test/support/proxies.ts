import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort, Program, until, type Sandbox } from './process.js';
import { caddyPath, nginxPath } from './requirements.js';

/** A reverse proxy as deploy/ has it, with other addresses. */
export interface Proxy {
  readonly base: string;
  readonly stop: () => Promise<unknown>;
}

const certificate = (name: string): string =>
  fileURLToPath(new URL(`./certificates/${name}`, import.meta.url));

/** Replaces what must be there. */
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`There is no ${from} in ${changed}`);
    return changed.replace(from, to);
  }, text);
}

export async function startNginx(sandbox: Sandbox, upstreams: readonly string[]): Promise<Proxy> {
  const [folder, port, tlsPort] = [await sandbox.folder(), await freePort(), await freePort()];
  const recipe = replaced(readFileSync('deploy/nginx/meetings.conf', 'utf8'), [
    [
      'server 127.0.0.1:3000 max_fails=0;',
      upstreams.map((address) => `server ${address} max_fails=0;`).join(' '),
    ],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${tlsPort} ssl http2; listen 127.0.0.1:${port};`],
    ['/etc/ssl/meetings.pem', certificate('local.pem')],
    ['/etc/ssl/meetings.key', certificate('local-key.pem')],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const lines = [
    `daemon off; pid ${folder}/pid; error_log stderr; events {}`,
    `http { access_log off; ${temporary.join(' ')}`,
    recipe,
    '}',
  ];
  await writeFile(`${folder}/nginx.conf`, lines.join('\n'));
  return listening(
    port,
    new Program(spawn(nginxPath!, ['-p', folder, '-c', `${folder}/nginx.conf`])),
    'SIGTERM',
  );
}

export async function startCaddy(sandbox: Sandbox, upstreams: readonly string[]): Promise<Proxy> {
  const [folder, port] = [await sandbox.folder(), await freePort()];
  const recipe = replaced(readFileSync('deploy/caddy/Caddyfile', 'utf8'), [
    ['\nmeetings.example.com {', `\n{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`],
    ['reverse_proxy 127.0.0.1:3000 {', `reverse_proxy ${upstreams.join(' ')} {`],
  ]);
  await writeFile(`${folder}/Caddyfile`, recipe);
  const env = { PATH: process.env['PATH'], HOME: folder };
  const args = ['run', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`];
  return listening(port, new Program(spawn(caddyPath!, args, { env })), 'SIGKILL');
}

/** `signal` ends it at once, whatever is open. */
async function listening(port: number, program: Program, signal: NodeJS.Signals): Promise<Proxy> {
  const base = `http://127.0.0.1:${port}`;
  await until(
    'the proxy',
    async () =>
      program.hasEnded ||
      (await fetch(base).then(
        () => true,
        () => false,
      )),
  );
  if (program.hasEnded) throw new Error(`The proxy did not start:\n${(await program.ended).stderr}`);
  return { base, stop: () => program.kill(signal) };
}
