import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { minify } from '@swc/core';
import * as client from 'meeting-recording-client';
import { compilePlayer } from '../../scripts/compile.js';
import { isRepeatable, takesKey } from '../../clients/typescript/dist/retries.js';
import { ERROR_CODES } from '../../src/contract/error-catalog.js';

const BUILD = 'clients/typescript/dist';
const LARGEST_KIB = 12;

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
interface Schema {
  readonly properties?: Record<string, { readonly $ref?: string }>;
}

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path: path.replace('/api/v1', ''),
    method,
    operation,
  })),
);

it('both clients have the version of the service', () => {
  const versionIn = (file: string, pattern: RegExp): unknown => pattern.exec(readFileSync(file, 'utf8'))?.[1];
  const json = /"version": "(.+?)"/;
  const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(dependencies['meeting-recording-client']).toBe(version);
  expect(versionIn('clients/typescript/package.json', json)).toBe(version);
  expect(versionIn('clients/python/pyproject.toml', /^version = "(.+?)"$/m)).toBe(version);
});

describe('The client library agrees with the API document', () => {
  it('has a class for each error code', () => {
    const classes = Object.entries(client).filter(([, one]) => one.prototype instanceof client.ApiError);
    const names = ERROR_CODES.map((code) => {
      const words = code
        .replace(/_ERROR$/, '')
        .toLowerCase()
        .split('_');
      return `${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}Error`;
    });
    expect(classes.map(([name]) => name).toSorted()).toEqual([...names, 'InvalidReplyError'].toSorted());
  });

  it('sends an Idempotency-Key to the operations that take one', () => {
    const taking = ({ operation: { parameters = [] } }: (typeof operations)[number]): boolean =>
      parameters.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key');
    const named = (all: typeof operations): string[] => all.map(({ method, path }) => `${method} ${path}`);
    expect(named(operations.filter(({ method, path }) => takesKey(method, path)))).toEqual(
      named(operations.filter(taking)),
    );
  });

  it('repeats a DELETE only if all that it replies is success', () => {
    const deletes = operations.filter(({ method, path }) => method === 'delete' && path !== '/uploads/{id}');
    const repliesSuccess = ({ responses }: Operation): boolean =>
      responses['200']?.content?.['application/json']?.schema?.properties?.['data']?.$ref ===
      '#/components/schemas/Success';
    for (const { path, operation } of deletes)
      expect([path, isRepeatable('delete', path, false)]).toEqual([path, repliesSuccess(operation)]);
  });

  it('has a player of less than 40 KB, without hls.js', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mrs-player-'));
    await compilePlayer(process.cwd(), folder);
    expect(gzipSync(readFileSync(join(folder, 'meeting-player.js'))).length).toBeLessThan(40_000);
    const { exports, sideEffects, files } = JSON.parse(
      readFileSync('clients/typescript/package.json', 'utf8'),
    );
    expect([sideEffects, files]).toEqual([[exports['./player'].default], ['dist']]);
    for (const path of Object.values<string>(exports['./player']))
      expect(readdirSync(folder)).toContain(path.replace('./dist/player/', ''));
    rmSync(folder, { recursive: true });
  });

  it('is small', async () => {
    const fetch = createRequire(import.meta.url)
      .resolve('openapi-fetch')
      .replace(/cjs$/, 'mjs');
    const own = readdirSync(BUILD)
      .filter((name) => name.endsWith('.js'))
      .map((name) => `${BUILD}/${name}`);
    const minified = await Promise.all(
      [...own, fetch].map((file) =>
        minify(readFileSync(file, 'utf8'), { module: true, compress: true, mangle: true }),
      ),
    );
    const size = gzipSync(minified.map(({ code }) => code).join('\n')).length;
    expect(size).toBeLessThan(LARGEST_KIB * 1024);
  });
});
