import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKS } from '../../scripts/checks.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONFIGURATION = ['.dependency-cruiser.json', '.oxlintrc.json', 'package.json', 'tsconfig.json'];

/** A project with the checks and the packages of this one, and files of a test's own. */
export class ProjectFixture {
  private readonly folder = mkdtempSync(join(tmpdir(), 'mrs-checks-'));

  constructor(files: Readonly<Record<string, string>>) {
    for (const name of CONFIGURATION) copyFileSync(join(ROOT, name), join(this.folder, name));
    for (const name of ['node_modules', 'scripts'])
      symlinkSync(join(ROOT, name), join(this.folder, name), 'junction');
    for (const [path, text] of Object.entries({ 'test/examples/.keep': '', ...files })) {
      const file = join(this.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  /** What `npm run check` does for one of its parts. */
  check(
    name: 'lint' | 'boundaries',
    ...options: string[]
  ): Promise<{ status: number | null; output: string }> {
    let output = '';
    const child = spawn(process.execPath, [...CHECKS[name].args, ...options], { cwd: this.folder });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status) => resolve({ status, output }));
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
