import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const BENCH = fileURLToPath(new URL('../../bench/speech', import.meta.url));

interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  readonly failed: number;
}
interface Running {
  readonly pid: number;
  readonly parent: number;
}
interface Memory {
  readonly MemoryWatch: new (
    pid: number,
    folders: readonly string[],
  ) => { take(): Promise<Record<string, number | null>>; stop(): Promise<void> };
  kindOf(command: string, folders: readonly string[]): string | null;
  descendants(all: readonly Running[], pid: number): readonly Running[];
}
interface OpenLoop {
  measureOpenLoop(options: {
    base: string;
    key: string;
    operations: Record<string, (n: number) => string>;
    seconds: number;
    ended?: () => boolean;
  }): Promise<Record<string, Summary>>;
}

/** The bench is JavaScript without types. */
const load = async <Module>(name: string): Promise<Module> => (await import(`${BENCH}/${name}.js`)) as Module;

describe('the requests of the speech bench', () => {
  it('are sent at their time although earlier ones have not been answered', async () => {
    const { measureOpenLoop } = await load<OpenLoop>('open-loop');
    const waiting: ServerResponse[] = [];
    const server = createServer((request, response) => {
      if (request.url !== '/list') response.end();
      // Answered together, once ten of them wait.
      else if (waiting.push(response) === 10) waiting.splice(0).forEach((one) => one.end());
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const operations = { list: () => '/list', get: (n: number) => `/get/${n}` };
    const { list, get } = await measureOpenLoop({ base, key: 'key', operations, seconds: 0.8 });
    server.close();
    expect(list).toMatchObject({ sent: 20, failed: 0 });
    expect(get).toMatchObject({ sent: 20, failed: 0 });
    // The first of ten waits for nine more, one every 40 ms.
    expect(list!.p99).toBeGreaterThan(300);
    expect(list!.p50).toBeGreaterThan(100);
  });

  it('end on request, and count refusals as failures', async () => {
    const { measureOpenLoop } = await load<OpenLoop>('open-loop');
    const server = createServer((_, response) => void response.writeHead(500).end());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const start = performance.now();
    const ended = (): boolean => performance.now() > start + 200;
    const { list } = await measureOpenLoop({
      base,
      key: '',
      operations: { list: () => '/' },
      seconds: 60,
      ended,
    });
    server.close();
    expect(list!.failed).toBe(list!.sent);
    expect(list!.sent).toBeLessThan(100);
    expect(list!.p99).toBe(Infinity);
  });
});

describe('the memory of the processes of a service', () => {
  it('is that of its descendants, identified by their command lines', async () => {
    const { descendants, kindOf } = await load<Memory>('memory');
    const all = [
      { pid: 2, parent: 1 },
      { pid: 3, parent: 2 },
      { pid: 4, parent: 1 },
      { pid: 5, parent: 3 },
    ];
    expect(descendants(all, 2).map(({ pid }) => pid)).toEqual([3, 5]);
    const folders = ['/home/speech', '/tmp/packager'];
    expect(kindOf('node /home/speech/dist/src/main.js', folders)).toBeNull();
    expect(kindOf('node /home/speech/dist/speech/speech.process.js 12 ', folders)).toBe('speech');
    expect(kindOf('node /home/speech/dist/packager.process.js 12 ', folders)).toBe('packaging');
  });

  it('is the highest of the processes seen since it was last taken', async () => {
    const { MemoryWatch } = await load<Memory>('memory');
    const folder = mkdtempSync(join(tmpdir(), 'mrs-memory-'));
    const script = join(folder, 'speech.mjs');
    writeFileSync(
      script,
      'let held = Buffer.alloc(200e6, 1); console.log(held.length); setInterval(() => {}, 1000);',
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const watch = new MemoryWatch(process.pid, []);
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const { speech, packaging } = await watch.take();
      expect(speech).toBeGreaterThan(200);
      expect(speech).toBeLessThan(400);
      expect(packaging).toBeNull();

      child.kill('SIGKILL');
      await ended;
      // It may have been seen once more.
      await watch.take();
      expect((await watch.take()).speech).toBeNull();
    } finally {
      child.kill('SIGKILL');
      await ended;
      await watch.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
