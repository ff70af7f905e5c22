import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Contract, inlined, type OpenApi } from './contract.js';
import { Requirement } from './requirements.js';

/**
 * The last release, from which this one upgrades. There is no tag: the commit is the last one with the API document and
 * the migration of 1.0.0 (`test/contract/released`, `test/contract/migration-checksums.spec.ts`).
 */
export const LAST_RELEASE = { version: '1.0.0', commit: 'f04198a4916e838aeb93b4182c3d6443252c07c7' } as const;

const FOLDER = resolve('node_modules/.cache', `release-${LAST_RELEASE.version}`);
const INSTALLED = join(FOLDER, '.installed');
const LARGEST = 1 << 30;

const git = (...args: string[]): Buffer =>
  execFileSync('git', args, { maxBuffer: LARGEST, stdio: ['ignore', 'pipe', 'ignore'] });

function isThere(): boolean {
  try {
    git('cat-file', '-e', `${LAST_RELEASE.commit}^{tree}`);
    return true;
  } catch {
    return false;
  }
}

export const RELEASED = new Requirement(
  `the code of ${LAST_RELEASE.version}`,
  isThere() ? null : `commit ${LAST_RELEASE.commit.slice(0, 8)} is not in this clone; git fetch --unshallow`,
);

/** Installs the last release from its own lock file and builds it, unless that was done before; returns its folder. */
export function installLastRelease(): string {
  if (existsSync(INSTALLED)) return FOLDER;
  mkdirSync(FOLDER, { recursive: true });
  const archive = git('archive', LAST_RELEASE.commit);
  execFileSync('tar', ['x', '-C', FOLDER], { input: archive });
  const options = { cwd: FOLDER, stdio: 'ignore' } as const;
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], options);
  execFileSync(process.execPath, ['scripts/build.js'], options);
  writeFileSync(INSTALLED, '');
  return FOLDER;
}

/** What its replies are checked against. */
export const releasedContract = (): Contract =>
  new Contract(
    inlined(
      JSON.parse(
        gunzipSync(readFileSync(`test/contract/released/${LAST_RELEASE.version}.openapi.json.gz`)).toString(),
      ) as OpenApi,
    ),
  );
