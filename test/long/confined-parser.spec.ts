import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setConfinement } from '../../src/lib/processes/confinement.js';
import { ConfinedParser } from '../../src/platform/work/confined-parser.service.js';

const FOR_ADA = { caller: 'ada', seconds: 30 };

describe('ConfinedParser', () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

  describe('with a hostile task', () => {
    let folder: string;
    let parser: ConfinedParser;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'mrs-tasks-'));
      parser = new ConfinedParser(folder);
      // An isolated process would not see this folder; the limits are the same.
      setConfinement('limits');
    });
    afterAll(async () => {
      setConfinement(null);
      await rm(folder, { recursive: true });
    });

    async function run(code: string, more: { seconds?: number; signal?: AbortSignal } = {}): Promise<string> {
      const path = join(folder, `task-${Math.random()}.mjs`);
      await writeFile(path, `export default function parse(bytes, options) { ${code} }`);
      const task = { module: pathToFileURL(path).href };
      return text(await parser.run(task, bytes('given'), { some: 'option' }, { ...FOR_ADA, ...more }));
    }

    it('passes bytes and options, and an environment without settings', async () => {
      process.env['MRS_SECRET_FOR_TEST'] = 'secret';
      try {
        const code =
          'return [new TextDecoder().decode(bytes), options.some, Object.keys(process.env).sort()].join()';
        expect(await run(code)).toMatch(/^given,option,/);
        expect(await run(code)).not.toContain('MRS_SECRET_FOR_TEST');
      } finally {
        delete process.env['MRS_SECRET_FOR_TEST'];
      }
    });

    it.each([
      ['time', 'for (;;);', 1],
      ['memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()));', 60],
      ['output', `return 'x'.repeat(65 * 1024 ** 2)`, 60],
    ])('ends it at its limit on %s', async (limit, code, seconds) => {
      await expect(run(code, { seconds })).rejects.toMatchObject({ name: 'WorkLimitError', limit });
    });

    it('reports a failure with its reason', async () => {
      await expect(run(`throw new Error('a defect')`)).rejects.toThrow(
        /the parser ended with 1: [^]*a defect/,
      );
    });

    it('ends it when the caller has gone, and leaves nothing behind', async () => {
      const gone = new AbortController();
      const running = run('for (;;);', { signal: gone.signal });
      const left = async () => (await readdir(folder)).filter((name) => !name.startsWith('task-'));
      await setTimeout(500);
      expect(await left()).toEqual([expect.stringMatching(/^mrs-parse-/)]);
      gone.abort(new Error('gone'));
      await expect(running).rejects.toThrow('gone');
      expect(await left()).toEqual([]);
    });

    it('removes at the start what processes left behind when they were killed', async () => {
      const [old, recent] = ['mrs-parse-old', 'mrs-parse-recent'].map((name) => join(folder, name)) as [
        string,
        string,
      ];
      for (const path of [old, recent]) await mkdir(join(path, 'child-1'), { recursive: true });
      const twoHoursAgo = Date.now() / 1000 - 7200;
      await utimes(old, twoHoursAgo, twoHoursAgo);
      await parser.onModuleInit();
      expect((await readdir(folder)).filter((name) => name.startsWith('mrs-parse-'))).toEqual([
        'mrs-parse-recent',
      ]);
      await rm(recent, { recursive: true });
    });
  });
});
