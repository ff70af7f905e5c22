import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHECKS } from '../../scripts/checks.js';

interface Package {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
}

const WRITE = resolve('scripts/licenses.js');
const NEW = 'node_modules/new';
const REST =
  'Find out what it demands of those who pass this service on, describe it in THIRD-PARTY.md, and add it to ALLOWED in scripts/licenses/policy.js; or use another package.\n';

describe('licenses', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-licenses-'));
    for (const name of ['package-lock.json', 'THIRD-PARTY.md']) cpSync(name, join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Adds packages to the lock file, or removes them. */
  function lock(changes: Readonly<Record<string, Package | undefined>>): void {
    const file = join(folder, 'package-lock.json');
    const content = JSON.parse(readFileSync(file, 'utf8')) as { packages: object };
    writeFileSync(
      file,
      JSON.stringify(
        { ...content, packages: { ...content.packages, ...changes } },
        (_, value: unknown) => value,
      ),
    );
  }

  function install(path: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }

  const write = () => execFileSync(process.execPath, [WRITE], { cwd: folder });

  function check(): [status: number | null, output: string] {
    const { status, stderr } = spawnSync(process.execPath, CHECKS.licenses.args, {
      cwd: folder,
      encoding: 'utf8',
    });
    return [status, stderr];
  }

  it('accepts this project', () => {
    expect(check()).toEqual([0, '']);
  });

  it('rejects a license that is not allowed, also of a package for another system', () => {
    lock({ [NEW]: { version: '1.2.3', license: 'AGPL-3.0-only', optional: true, os: ['sunos'] } });
    write();
    expect(check()).toEqual([
      1,
      `new 1.2.3 is under AGPL-3.0-only, which has not been allowed for it. ${REST}`,
    ]);
  });

  it('rejects compiled code and models in packages that the policy does not describe', () => {
    const contents = {
      code: 'build/Release/quick.node',
      library: 'lib/libquick.so.1.1',
      model: 'models/quick.onnx',
    };
    const found = Object.entries(contents).map(([name, file]) => {
      lock({ [`node_modules/${name}`]: { version: '1.2.3', license: 'MIT' } });
      install(`node_modules/${name}/${file}`);
      return `${name} 1.2.3 contains ${file}. Find out which software or model that is and under which licenses, and add it to CONTENTS in scripts/licenses/policy.js.\n`;
    });
    write();
    expect(check()).toEqual([1, found.join('')]);
  });

  it('rejects a page that does not list what is installed, until it is written again', () => {
    lock({ [NEW]: { version: '1.2.3', license: 'BSD-3-Clause' } });
    expect(check()).toEqual([1, 'THIRD-PARTY.md is out of date. Run npm run licenses.\n']);
    write();
    expect(check()).toEqual([0, '']);
    expect(readFileSync(join(folder, 'THIRD-PARTY.md'), 'utf8')).toContain(
      '| BSD-3-Clause | `age-encryption`, `asn1js`, `duplexer2`, `ieee754`, `new`, `qs`, `source-map-js` |\n',
    );
  });
});
