import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, until, type Sandbox } from './process.js';
import { nginxPath } from './requirements.js';

/**
 * Starts nginx in front of these ports, and returns its URL. A request goes to the other one if the first does not take
 * it; once sent, only if it may be repeated, which nginx assumes of neither POST nor PATCH.
 */
export async function startNginx(sandbox: Sandbox, ports: readonly number[]): Promise<string> {
  const [folder, port] = [await sandbox.folder(), await freePort()];
  await mkdir(join(folder, 'temporary'));
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temporary/${name};`,
  );
  const config = `
    daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {}
    http {
      access_log off; ${temporary.join(' ')}
      upstream service { ${servers.join(' ')} }
      server {
        listen 127.0.0.1:${port}; client_max_body_size 0;
        location / {
          proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Host $http_host;
          proxy_connect_timeout 2s; proxy_buffering off; proxy_request_buffering off;
          proxy_next_upstream error timeout;
        }
      }
    }`;
  await writeFile(join(folder, 'nginx.conf'), config);
  const program = await sandbox.run(['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {}, nginxPath);
  const url = `http://127.0.0.1:${port}`;
  await until('nginx', async () => {
    if (program.hasEnded) throw new Error(`nginx did not start:\n${program.stderr}`);
    return fetch(url).then(
      () => true,
      () => false,
    );
  });
  return url;
}
