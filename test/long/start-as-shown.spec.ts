import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectVersion } from '../../src/lib/project-root.js';
import { postgresProcesses, Sandbox, type RunningService } from '../support/process.js';
import { CURL } from '../support/requirements.js';
import { WITH_TRANSCRIBER } from '../support/service.js';

const run = promisify(execFile);

describe('npm start', () => {
  const sandbox = new Sandbox();
  let dataDir: string;
  let service: RunningService;

  /** On all cores. A meeting of the demo is transcribed by `test/long/start.spec.ts`. */
  beforeAll(async () => {
    dataDir = await sandbox.folder();
    service = await sandbox.start({ DATA_DIR: dataDir, WEB_CONCURRENCY: '', ...WITH_TRANSCRIBER });
  });
  afterAll(() => sandbox.cleanUp());

  it('says in its log where the API and its documentation are, and writes nothing that is no line of the log', async () => {
    const { shown, port, program } = service;
    expect(shown.api).toBe(`http://localhost:${port}/api/v1`);
    const page = await fetch(shown.docs!.replace('localhost', '127.0.0.1'));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('swagger-ui');
    expect(service.log).toHaveLength(program.stdout.split('\n').length - 1);
    expect(program.stderr).toBe('');
  });

  it('says first what starts, and with which settings', () => {
    expect(service.log[0]).toMatchObject({
      msg: 'starting',
      role: 'all',
      version: projectVersion(),
      node: process.versions.node,
      settings: { PORT: '0', DATA_DIR: dataDir, ...WITH_TRANSCRIBER },
    });
    expect(service.log.filter(({ msg }) => msg === 'starting')).toHaveLength(1);
  });

  it('keeps a key for the demo workspace in a file that it names, and out of the log', async () => {
    expect(service.shown.keyFile).toBe(join(dataDir, 'demo-api-key'));
    expect(service.apiKey).toMatch(/^mrs_[0-9A-Za-z]{43}$/);
    expect(service.program.stdout).not.toContain(service.apiKey);
    const me = await service.api.get('/me');
    expect(me.status).toBe(200);
    expect(me.body.data.api_key.prefix).toBe(service.apiKey.slice(0, 12));
    const list = await service.api.get('/recordings?limit=100');
    expect(list.body.data.length).toBeGreaterThanOrEqual(5);
    const played = list.body.data.find((item: { status: string }) => item.status === 'COMPLETED');
    const detail = await service.api.get(`/recordings/${played.id}`);
    const video = await fetch(detail.body.data.videoUrl, { headers: { range: 'bytes=0-99' } });
    expect([video.status, (await video.arrayBuffer()).byteLength]).toEqual([206, 100]);
  });

  it('shows a share page to look at', async () => {
    const page = await fetch(service.shown.sharePage!.replace('localhost', '127.0.0.1'));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Product weekly: winter routes and glove mode');
  });

  CURL.it('shows a curl line that can be pasted and run', async () => {
    // Without the proxy settings of this machine.
    const env = { PATH: process.env['PATH'] };
    const { stdout, stderr } = await run('sh', ['-c', service.shown.try], { env });
    expect(JSON.parse(stdout).data).toHaveLength(3);
    expect(stderr).toBe('');
  });

  it('makes the data folder private to its user', () => {
    expect(modes(dataDir)).toEqual({
      '.': '700',
      'demo-api-key': '600',
      objects: '700',
      postgres: '700',
      'sealing-key': '600',
      'url-signing-key': '600',
    });
    expect(modes(join(dataDir, 'postgres', 'cluster'))).toEqual({ '.': '700', data: '700', password: '600' });
    expect(modes(join(dataDir, 'objects', 'recordings'))['.']).toBe('700');
  });

  it('started again meanwhile, says where it already runs, and what to do', async () => {
    const again = await sandbox.launch({ DATA_DIR: dataDir, PORT: String(service.port) });
    expect(await again.ended).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        `^Meeting Recording Service already runs on http://127\\.0\\.0\\.1:${service.port}\\. Stop it first; or, .* set PORT .*\n$`,
      ),
    });
  });

  it('stops with its PostgreSQL, and says so once for all of its processes', async () => {
    expect(await service.stop()).toMatchObject({ status: 0, stderr: '' });
    const stopped = service.log.filter(({ msg }) => msg === 'stopping' || msg === 'stopped');
    expect(stopped.map(({ msg }) => msg)).toEqual(['stopping', 'stopped']);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });
});

/** File modes of a folder and its contents. */
function modes(folder: string): Record<string, string> {
  const names = ['.', ...readdirSync(folder)].sort();
  return Object.fromEntries(
    names.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}
