import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKS } from '../../scripts/checks.js';
import { lintStates } from '../../scripts/lint-changed.js';

const PROJECT = {
  'meeting.ts': 'export function title(): string {\n  return "Weekly";\n}\n',
  'list.ts': 'import { title } from "./meeting.js";\nexport const list = [title];\n',
  'page.ts': 'import { list } from "./list.js";\nexport const first = list[0];\n',
  'other.ts': 'export const other = 1;\n',
  'bench.js': 'export const rounds = 3;\n',
};
const FILES = Object.keys(PROJECT);
const IN_PROJECT = FILES.filter((file) => file.endsWith('.ts'));
/** TypeScript, as the check of types runs it. */
const [tsc = ''] = CHECKS.types.args;

describe('what lint looks at again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mrs-lint-changed-'));
  const path = (file: string): string => join(folder, file);
  let before: Record<string, string>;

  beforeAll(() => {
    before = states();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is nothing without a change', () => {
    expect(changedBy({})).toEqual([]);
  });

  it('is a file whose declarations stay the same, alone', () => {
    expect(changedBy({ 'meeting.ts': PROJECT['meeting.ts'].replace('Weekly', 'Daily') })).toEqual([
      'meeting.ts',
    ]);
  });

  it('is also what imports a changed declaration, directly or not, and what is outside the project', () => {
    const changed = 'export async function title(): Promise<string> {\n  return "Weekly";\n}\n';
    expect(changedBy({ 'meeting.ts': changed })).toEqual(['meeting.ts', 'list.ts', 'page.ts', 'bench.js']);
  });

  it('is a file outside the project', () => {
    expect(changedBy({ 'bench.js': 'export const rounds = 4;\n' })).toEqual(['bench.js']);
  });

  it('is everything that can see a global declaration', () => {
    const changed = `${PROJECT['other.ts']}declare global {\n  var language: string;\n}\n`;
    expect(changedBy({ 'other.ts': changed })).toEqual(FILES);
  });

  it('is everything if the configuration changes', () => {
    expect(changedBy({}, 'another rule')).toEqual(FILES);
  });

  /** Files of the project whose state differs with these texts. */
  function changedBy(texts: Partial<typeof PROJECT>, configuration?: string): string[] {
    const now = states(texts, configuration);
    return FILES.filter((file) => now[path(file)] !== before[path(file)]);
  }

  function states(texts: Partial<typeof PROJECT> = {}, configuration = 'rules'): Record<string, string> {
    for (const [file, text] of Object.entries({ ...PROJECT, ...texts })) writeFileSync(path(file), text);
    const buildInfo = path('tsbuildinfo');
    const incremental = [
      '--incremental',
      '--tsBuildInfoFile',
      buildInfo,
      '--declaration',
      '--emitDeclarationOnly',
    ];
    const options = ['--module', 'nodenext', '--lib', 'es2015', '--types', '', '--outDir', path('out')];
    spawnSync(process.execPath, [tsc, ...incremental, ...options, ...IN_PROJECT], { cwd: folder });
    expect(readFileSync(buildInfo, 'utf8')).toContain('meeting.ts');
    return lintStates(FILES.map(path), buildInfo, configuration);
  }
});
