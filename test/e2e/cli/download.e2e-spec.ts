import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { commandsAs } from '../../support/command-line.js';
import { startService, type TestService } from '../../support/service.js';

const BYTES = randomBytes(300_000);

describe('mrs recordings download', () => {
  let service: TestService;
  let proxy: Server;
  let folder: string;
  let ranges: (string | undefined)[] = [];
  /** After how many bytes the next connections for media break. */
  let breaks: number[] = [];
  const call = recording('Ada', { title: '../Weekly "sync"', media: 'call.mp4' });
  const workingDirectory = process.cwd();
  const base = (): string => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { cli } = commandsAs(base, keyOf('Ada'));
  const download = (...args: string[]) => cli('recordings', 'download', call.id, ...args);

  const pass = (from: IncomingMessage, to: ServerResponse): void => {
    const isMedia = from.url?.startsWith('/media/') ?? false;
    if (isMedia) {
      expect(from.headers.authorization).toBeUndefined();
      ranges.push(from.headers.range);
    }
    const { method, headers } = from;
    const onward = request(service.api.base + from.url, { method, headers }, (reply) => {
      to.writeHead(reply.statusCode ?? 0, reply.headers);
      const most = isMedia && from.headers.range !== 'bytes=0-0' ? breaks.shift() : undefined;
      if (most === undefined) return void reply.pipe(to);
      let sent = 0;
      reply.on('data', (chunk: Buffer) => {
        const part = chunk.subarray(0, most - sent);
        sent += part.length;
        to.write(part, () => {
          if (sent >= most) to.destroy();
        });
      });
    });
    from.pipe(onward);
  };

  beforeAll(async () => {
    proxy = createServer(pass).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    service = await startService({ PUBLIC_URL: base() });
    await service.import({ users: [user('Ada')], recordings: [call] }, { 'call.mp4': BYTES });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-download-'));
    process.chdir(folder);
    [ranges, breaks] = [[], []];
  });
  afterEach(() => {
    process.chdir(workingDirectory);
    rmSync(folder, { recursive: true });
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
  });

  it('opens the video by a URL that needs no key, and says until when', async () => {
    const { status, stdout, stderr } = await cli('open', call.id);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^The video; its address works until \S+Z\.\n$/),
    ]);
    const video = await fetch(stdout.trim());
    expect([video.status, Buffer.from(await video.arrayBuffer()).equals(BYTES)]).toEqual([200, true]);
  });

  it('downloads into this folder, under a name that leads to no other', async () => {
    const { status, stdout } = await download();
    expect([status, readdirSync(folder)]).toEqual([0, [stdout.trimEnd()]]);
    expect(stdout).toMatch(/^[^/\\"]+\.mp4\n$/);
    expect(readFileSync(stdout.trimEnd()).equals(BYTES)).toBe(true);
    expect(await download()).toMatchObject({ status: 2, stderr: expect.stringMatching(/exists already\n$/) });
  });

  it('continues where it was after broken connections', async () => {
    breaks = [100_000, 50_000];
    const { status, stdout } = await download('call.mp4', '--json');
    expect([status, JSON.parse(stdout)]).toEqual([0, { id: call.id, file: 'call.mp4', size: BYTES.length }]);
    expect(readFileSync('call.mp4').equals(BYTES)).toBe(true);
    expect(ranges).toEqual([
      'bytes=0-0',
      'bytes=0-',
      expect.stringMatching(/^bytes=[1-9]\d*-$/),
      expect.any(String),
    ]);
    expect(readdirSync(folder)).toEqual(['call.mp4']);
  });

  it('keeps what it has if the server goes away, and continues with it when it is started again', async () => {
    breaks = [100_000, 0, 0, 0, 0, 0];
    const failed = await download('call.mp4');
    expect([failed.status, failed.stderr]).toEqual([5, `error: ${base()} ended the download 5 times.\n`]);
    const [part = ''] = readdirSync(folder);
    expect([part, existsSync('call.mp4')]).toEqual([
      expect.stringMatching(/^call\.mp4\.[0-9a-f]{8}\.part$/),
      false,
    ]);
    const kept = readFileSync(part).length;
    expect(kept).toBeGreaterThan(0);
    ranges = [];
    expect((await download('call.mp4')).status).toBe(0);
    expect(ranges).toEqual(['bytes=0-0', `bytes=${kept}-`]);
    expect(readFileSync('call.mp4').equals(BYTES)).toBe(true);
  });

  it('does not continue with part of another version', async () => {
    writeFileSync('call.mp4.00000000.part', 'x');
    expect((await download('call.mp4')).status).toBe(0);
    expect(readFileSync('call.mp4').equals(BYTES)).toBe(true);
  });

  it('watches a recording that is complete already', async () => {
    expect(await cli('recordings', 'watch', call.id)).toMatchObject({
      status: 0,
      stdout: `${call.id}: COMPLETED\n`,
    });
  });
});
