import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PRUNE = resolve('scripts/prune-image.js');

describe('the image', () => {
  const [, build = '', image = ''] = readFileSync('Dockerfile', 'utf8').split(/^FROM /m);

  it('gets its packages from the build stage, after those that must not be redistributed are removed', () => {
    expect(build).toMatch(/^RUN .*&& node scripts\/prune-image\.js$/m);
    expect(build.indexOf('prune-image')).toBeGreaterThan(build.indexOf('npm ci'));
    expect(image).not.toMatch(/npm (ci|install)/);
    expect(image).toMatch(/^COPY --from=build \/app\/node_modules node_modules$/m);
  });

  it('uses the FFmpeg of its distribution', () => {
    expect(image).toMatch(/^RUN .*apt-get install -y --no-install-recommends ffmpeg /m);
    expect(image).toMatch(/^ENV .*FFMPEG_PATH=\/usr\/bin\/ffmpeg$/m);
  });

  it('contains the guides, which the service shows', () => {
    expect(image).toMatch(/^COPY docs docs\nCOPY examples\/README\.md examples\/$/m);
    for (const client of readdirSync('clients'))
      expect(image).toContain(`COPY clients/${client}/README.md clients/${client}/\n`);
    expect(readFileSync('.dockerignore', 'utf8')).not.toMatch(/^(docs|examples|clients)/m);
  });

  it('contains the licenses, which the build context does not leave out', () => {
    expect(image).toMatch(/^COPY LICENSE THIRD-PARTY\.md \.\/$/m);
    expect(readFileSync('.dockerignore', 'utf8')).not.toMatch(/md/);
  });
});

describe('scripts/prune-image.js', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mrs-prune-'));
  const at = (name: string) => join(folder, 'node_modules', name);

  const removed = [
    'node-av',
    '@seydx/node-av-linux-x64',
    '@seydx/node-av-darwin-arm64',
    'mediabunny/node_modules/@seydx/node-av-win32-x64-msvc',
    '@swc/core',
    '@swc/core-linux-x64-gnu',
  ];
  const kept = ['mediabunny', '@mediabunny/server', 'sharp', '@img/sharp-libvips-linux-x64', 'node-average'];

  beforeAll(() => {
    for (const name of [...removed, ...kept]) mkdirSync(at(name), { recursive: true });
    execFileSync(process.execPath, [PRUNE], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(removed)('removes %s', (name) => expect(existsSync(at(name))).toBe(false));
  it.each(kept)('keeps %s', (name) => expect(existsSync(at(name))).toBe(true));
});
