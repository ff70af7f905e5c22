import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectFixture } from '../support/project-fixture.js';
import { AROUND, FINE, MISTAKES } from './lint-mistakes.js';

/** Enough for a busy machine. */
const CHECK_MS = 60_000;

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A finding as oxlint reports it; its output for people differs under CI. */
interface Diagnostic {
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
  readonly message: string;
}

describe('lint', () => {
  let project: ProjectFixture;
  let status: number | null;
  let findings: Finding[];

  beforeAll(async () => {
    const mistakes = MISTAKES.map(([, source, , , file], index) => [fileOf(index, file), textOf(source)]);
    const fine = FINE.map(([, file, source]) => [file, textOf(source)]);
    project = new ProjectFixture({ ...AROUND, ...Object.fromEntries([...mistakes, ...fine]) });
    const checked = await project.check('lint', '--format=json');
    status = checked.status;
    findings = findingsIn(checked.output);
  }, CHECK_MS);
  afterAll(() => project.remove());

  it('fails, with no other findings', () => {
    expect(status).toBe(1);
    expect(findings).toHaveLength(MISTAKES.length);
  });

  it.each(
    MISTAKES.map(([what, , line, message, file], index) => ({
      what,
      line,
      message,
      file: fileOf(index, file),
    })),
  )('rejects $what and says what to do instead', ({ line, message, file }) => {
    expect(findings.filter((finding) => finding.file === file)).toEqual([
      { file, line, message: expect.stringContaining(message) },
    ]);
  });

  it.each(FINE)('accepts %s', (_, file) => {
    expect(findings.filter((finding) => finding.file === file)).toEqual([]);
  });
});

function fileOf(index: number, file = `src/modules/notes/mistake-${index}.ts`): string {
  return file;
}

function textOf(source: string[]): string {
  return `${source.join('\n')}\n`;
}

function findingsIn(output: string): Finding[] {
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  return diagnostics.map(({ filename, labels: [label], message }) => ({
    file: filename,
    line: label?.span.line ?? 0,
    message,
  }));
}
