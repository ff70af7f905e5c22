import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeSamples } from '../support/code-samples.js';
import { CURL, PYTHON } from '../support/requirements.js';
import type { TestService } from '../support/service.js';
import { demoService } from '../support/try-it-out.js';

const run = promisify(execFile);
/** Within the repository, where the client is found. */
const FOLDER = resolve('node_modules/.cache/samples');
const TSC = resolve('node_modules/typescript-native/bin/tsc');
const CONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    noEmit: true,
  },
};

/** Writes the samples of a language, a file for each operation, and returns its names. */
async function write(language: string, extension: string, base = 'http://localhost:3000'): Promise<string[]> {
  const samples = codeSamples(base).filter((one) => one.language === language);
  await Promise.all(
    samples.map(({ operationId, code }) =>
      writeFile(join(FOLDER, `${operationId}.${extension}`), `${code}\n`),
    ),
  );
  return samples.map(({ operationId }) => `${operationId}.${extension}`);
}

describe('the samples of the API docs', () => {
  beforeAll(() => mkdir(FOLDER, { recursive: true }));
  afterAll(() => rm(FOLDER, { recursive: true }));

  it('in TypeScript fit the types of the client, of all operations that it has', async () => {
    expect((await write('TypeScript', 'mts')).length).toBeGreaterThan(120);
    await writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify(CONFIG));
    const { stdout } = await run(process.execPath, [TSC, '-p', FOLDER]).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('for curl are commands of a shell', async () => {
    const files = await write('curl', 'sh');
    expect(files.length).toBeGreaterThan(120);
    const check = 'for file; do bash -n "$file" || echo "$file"; done';
    const { stdout } = await run('bash', ['-c', check, 'bash', ...files], { cwd: FOLDER });
    expect(stdout).toBe('');
  });

  PYTHON.it('in Python compile', async () => {
    const files = await write('Python', 'py');
    expect(files.length).toBeGreaterThan(120);
    await run('python3', ['-m', 'py_compile', ...files], { cwd: FOLDER });
  });

  describe('run as they are, but for the id of a recording', () => {
    const RUN =
      'getMe listRecordings createRecording getRecording searchRecordings updateRecording importTranscript getTranscript createShareLink listPlans listOrganizations'.split(
        ' ',
      );
    let service: TestService;
    let key: string;
    let id: string;

    beforeAll(async () => {
      const demo = await demoService();
      ({ service } = demo);
      ({ key } = (await demo.amara.post('/api-keys', { name: 'samples' })).body.data);
      ({ id } = (await demo.amara.post('/recordings', { title: 'Mine', media: 'none' })).body.data);
    });
    afterAll(() => service.stop());

    /** What the samples of a language print. */
    async function outputs(language: string, program: string, args: readonly string[]): Promise<string[]> {
      const PYTHONPATH = resolve('clients/python/src');
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONPATH, MRS_API_KEY: key };
      const printed: string[] = [];
      const samples = codeSamples(service.api.base).filter((one) => one.language === language);
      for (const name of RUN) {
        const code = samples.find(({ operationId }) => operationId === name)!.code;
        const runnable = code.replaceAll('RECORDING_ID', id);
        const { stdout } = await run(program, [...args, runnable], { env, cwd: resolve('.') });
        printed.push(stdout);
      }
      return printed;
    }

    CURL.it('with curl', async () => {
      const replies = await outputs('curl', 'bash', ['-c']);
      expect(replies.map((text) => Object.keys(JSON.parse(text))[0])).toEqual(RUN.map(() => 'data'));
    });

    PYTHON.it('with the Python client', async () => {
      const printed = await outputs('Python', 'python3', ['-c']);
      expect(printed[0]).toContain("'name': 'Amara Osei'");
      expect(printed[2]).toContain("'title': 'Weekly sync'");
    });

    it('with the TypeScript client', async () => {
      const printed = await outputs('TypeScript', process.execPath, ['--input-type=module', '-e']);
      expect(printed[0]).toContain("name: 'Amara Osei'");
      expect(printed[2]).toContain("title: 'Weekly sync'");
    });
  });
});
