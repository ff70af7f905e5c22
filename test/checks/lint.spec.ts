import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectFixture } from '../support/project-fixture.js';

/** Each in a file of its own; the line on which it is found, and what is said of it. */
const MISTAKES: [what: string, source: string[], line: number, message: string][] = [
  [
    'a floating promise',
    [`const save = async () => 1;`, `export function note(): void {`, `  save();`, `}`],
    3,
    'Promises must be awaited',
  ],
  [
    'a promise taken for its value',
    [
      `const isOpen = async () => false;`,
      `export const note = () => {`,
      `  if (isOpen()) return 1;`,
      `  return 2;`,
      `};`,
    ],
    3,
    'Expected non-Promise value in a boolean conditional',
  ],
  [
    'a callback whose promise nobody awaits',
    [`const save = async (one: number) => one;`, `export const note = () => {`, `  [1].forEach(save);`, `};`],
    3,
    'Promise returned in function argument where a void return was expected',
  ],
  [
    'an await of what is no promise',
    [`const one = () => 1;`, `export const note = async () => {`, `  await one();`, `};`],
    3,
    'Unexpected `await` of a non-Promise',
  ],
];

/** What comes close to a mistake, by its file. */
const FINE: [what: string, file: string, source: string[]][] = [
  [
    'a promise that is left alone on purpose',
    'src/modules/notes/fine-4.ts',
    [`const save = async () => 1;`, `export const note = () => void save();`],
  ],
];

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

describe('lint', () => {
  let project: ProjectFixture;
  let status: number | null;
  let findings: Finding[];

  beforeAll(async () => {
    const mistakes = MISTAKES.map(([, source], index) => [fileOf(index), textOf(source)]);
    const fine = FINE.map(([, file, source]) => [file, textOf(source)]);
    project = new ProjectFixture(Object.fromEntries([...mistakes, ...fine]));
    const checked = await project.check('lint');
    status = checked.status;
    findings = findingsIn(checked.output);
  });
  afterAll(() => project.remove());

  it('fails, and finds nothing else', () => {
    expect(status).toBe(1);
    expect(findings).toHaveLength(MISTAKES.length);
  });

  it.each(MISTAKES.map((mistake, index) => [...mistake, index] as const))(
    'refuses %s, and says what to do',
    (_what, _source, line, message, index) => {
      const file = fileOf(index);
      expect(findings.filter((finding) => finding.file === file)).toEqual([
        { file, line, message: expect.stringContaining(message) },
      ]);
    },
  );

  it.each(FINE)('takes %s', (_, file) => {
    expect(findings.filter((finding) => finding.file === file)).toEqual([]);
  });
});

const fileOf = (index: number): string => `src/modules/notes/mistake-${index}.ts`;
const textOf = (source: string[]): string => `${source.join('\n')}\n`;

function findingsIn(output: string): Finding[] {
  const found = output.matchAll(/^ {2}x (?<message>.+)\n +,-\[(?<file>[^:]+):(?<line>\d+):\d+\]$/gm);
  return Array.from(found, ({ groups: { message = '', file = '', line } = {} }) => ({
    file,
    line: Number(line),
    message,
  }));
}
