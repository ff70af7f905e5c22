import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, postgresProcesses, Sandbox, until, type RunningService } from '../support/process.js';
import { LINUX, SPEECH } from '../support/requirements.js';

const run = promisify(execFile);
/** A meeting of the demo workspace that comes without transcript and summary. */
const DIARIZATION = '/recordings/01a1f827-cb80-7c0d-8c00-5eed0000c00d';
const SPEECH_TIMEOUT_MS = 60_000;

describe('npm start with the demo workspace', () => {
  const sandbox = new Sandbox();
  let dataDir: string;
  let service: RunningService;

  beforeAll(async () => {
    dataDir = await sandbox.folder();
    service = await sandbox.start({ DATA_DIR: dataDir, WEB_CONCURRENCY: '' });
  });
  afterAll(() => sandbox.cleanUp());

  SPEECH.it(
    'transcribes and summarizes a meeting of the demo without a request',
    async () => {
      const detail = async () => (await service.api.get(DIARIZATION)).body.data;
      const isSummarized = async () => (await detail()).summary?.status === 'completed';
      await until(
        'the summary',
        async () => (await isSummarized()) || setTimeout(200, false),
        SPEECH_TIMEOUT_MS,
      );
      const { body } = await service.api.get(`${DIARIZATION}/transcript`);
      const said = body.data.segments.map(({ text }: { text: string }) => text).join(' ');
      expect(said).toMatch(/^Good morning, Steve\. Good morning, Katie\. Have you tried .* right now\.$/);
      expect((await detail()).summary.content).toContain('batch transcription');
    },
    SPEECH_TIMEOUT_MS,
  );

  it('prints a link that signs the demo user in, once', async () => {
    const url = service.shown.signIn!.replace('localhost', '127.0.0.1');
    const open = () => fetch(url, { redirect: 'manual' });
    const opened = await open();
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/app']);
    const [cookie = ''] = opened.headers.getSetCookie();
    const headers = { cookie: cookie.split(';')[0]! };
    const me = await fetch(new URL('/api/v1/me', url), { headers });
    expect(((await me.json()) as { data: object }).data).toMatchObject({ session: { way: 'link' } });
    expect((await open()).status).toBe(404);
  });

  it('keeps all data over a restart; once the key was shown in a terminal, it shows the command that creates one', async () => {
    const { api, apiKey, shown } = service;
    const { id } = (await api.get('/recordings?limit=1')).body.data[0];
    await api.patch(`/recordings/${id}`, { title: 'Kept over a restart' });
    const before = (await api.get('/recordings?limit=100')).body.pagination;
    expect(await service.stop()).toMatchObject({ status: 0, stderr: '' });
    expect(postgresProcesses(dataDir)).toEqual([]);

    // As a terminal does.
    await rm(shown.keyFile!);
    const port = String(await freePort());
    service = await sandbox.start({ DATA_DIR: dataDir, WEB_CONCURRENCY: '', PORT: port });
    expect(service.apiKey).toBe('');
    expect(service.shown.sharePage!.replace(port, '')).toBe(shown.sharePage!.replace(/(?<=:)\d+/, ''));
    expect(service.program.stdout).not.toContain('mrs_');
    const kept = await service.api.as(apiKey).get(`/recordings/${id}`);
    expect(kept.body.data.title).toBe('Kept over a restart');
    const after = await service.api.as(apiKey).get('/recordings?limit=100');
    expect(after.body.pagination).toEqual(before);

    expect(service.shown.createKey).toContain(`DATA_DIR=${dataDir} `);
    const env = { PATH: process.env['PATH'] };
    const made = await run('sh', ['-c', service.shown.createKey!], { env });
    expect(made.stderr).toBe('');
    expect((await service.api.as(made.stdout.trim()).get('/recordings?limit=100')).body.pagination).toEqual(
      before,
    );
  });
});

LINUX.describe('a first start', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  LINUX.it('that is killed, wherever, leaves key and share page for the next', async () => {
    const dataDir = await sandbox.folder();
    const has = (...path: string[]) => existsSync(join(dataDir, ...path));
    const points = [
      () => has('postgres', 'cluster', 'data', 'postmaster.pid'),
      () => has('demo-api-key.new'),
      () => has('objects', 'recordings'),
      () => has('demo-api-key'),
    ];
    for (const reached of points) {
      const program = await sandbox.launch({ DATA_DIR: dataDir });
      await until('the point', () => program.hasEnded || reached());
      expect(await program.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    }
    const service = await sandbox.start({ DATA_DIR: dataDir });
    const keys = await service.api.get('/api-keys');
    expect(keys.body.data.filter(({ name }: { name: string }) => name === 'demo')).toHaveLength(1);
    const page = await fetch(service.shown.sharePage!.replace('localhost', '127.0.0.1'));
    expect(page.status).toBe(200);
    expect(await service.stop()).toMatchObject({ status: 0, stderr: '' });
  });
});
