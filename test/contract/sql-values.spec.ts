import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const STATEMENT = `export class Parameters { private readonly values: unknown[] = [];
  bind(value: unknown, type: string): string { this.values.push(value); return \`$\${this.values.length}::\${type}\`; } }`;
const IMPORT = `import { Parameters } from './statement.js';\n`;
const SERVICE = (body: string): string =>
  `export class Notes { constructor(private readonly db: { query(sql: string, values?: unknown[]): unknown }) {}\n${body}\n}`;

/** Code with an unbound value, and the interpolation that the check must name. */
const MISTAKES: Record<string, readonly [title: string, source: string, named: string]> = {
  template: [
    'a template in query()',
    SERVICE("list(id: string) { return this.db.query(`SELECT * FROM notes WHERE id = '${id}'`); }"),
    'id',
  ],
  concatenation: [
    'text concatenated with +, in lower case',
    SERVICE(`list(id: string) { return this.db.query("select * from notes where id = '" + id + "'"); }`),
    'id',
  ],
  builder: [
    'a condition of a query builder',
    `export const find = (query: { andWhere(sql: string): unknown }, label: string) => query.andWhere(\`n.label = '\${label}'\`);`,
    'label',
  ],
  order: [
    'a sort column chosen by the caller',
    `export const find = (query: { orderBy(sql: string): unknown }, sort: string) => query.orderBy(\`n.\${sort}\`);`,
    'sort',
  ],
  pushed: [
    'a condition without SQL keywords that ends up in a statement',
    SERVICE(`list(query: { label?: string }) {
      const conditions = ['true'];
      if (query.label) conditions.push(\`n.label = '\${query.label}'\`);
      return this.db.query(\`SELECT * FROM notes n WHERE \${conditions.join(' AND ')}\`); }`),
    'query.label',
  ],
  'conditions.sql': [
    'a condition in a lookup table, next to one that binds its value',
    `${IMPORT}export const CONDITIONS = {
      status: (status: string, parameters: Parameters) => \`n.status = \${parameters.bind(status, 'text')}\`,
      label: (label: string) => \`n.label LIKE '%\${label}%'\` };`,
    'label',
  ],
  number: [
    'a number sent by the caller',
    SERVICE('list(limit: number) { return this.db.query(`SELECT * FROM notes LIMIT ${limit}`); }'),
    'limit',
  ],
  union: [
    'a union of literals between quotes, which is a value',
    SERVICE("list(kind: 'a' | 'b') { return this.db.query(`SELECT * FROM notes WHERE kind = '${kind}'`); }"),
    'kind',
  ],
  helper: [
    'a value passed to a function that turns it into SQL',
    `const equals = (column: string, value: string): string => column + " = '" + value + "'";\n${SERVICE(
      "list(text: string) { return this.db.query(`SELECT * FROM notes WHERE ${equals('label', text)}`); }",
    )}`,
    'value, which comes from text at',
  ],
  field: [
    'a field that is assigned later',
    `export class Page { private order = 'at';
      by(order: string) { this.order = order; }
      list(db: { query(sql: string): unknown }) { return db.query(\`SELECT * FROM notes ORDER BY \${this.order}\`); } }`,
    'this.order, which comes from order at',
  ],
  raw: [
    'an operator of TypeORM',
    `declare const Raw: (sql: (alias: string) => string) => unknown;
     export const find = (text: string) => ({ label: Raw((alias) => \`\${alias} = '\${text}'\`) });`,
    'text',
  ],
};

const ALLOWED = `${IMPORT}
const TABLES = ['notes', 'marks'] as const;
const COLUMNS = { at: 'n.at', label: 'n.label' };
const LIMIT = 10 * 2;
const own = (alias: string): string => \`\${alias}.owner_id = $1\`;
export function list(db: { query(sql: string, values: unknown[]): unknown }, sort: 'at' | 'label', label: string, desc: boolean) {
  const parameters = new Parameters();
  const conditions = [own('n'), \`n.label = \${parameters.bind(\`%\${label}%\`, 'text')}\`];
  if (desc) conditions.push('n.at > now()');
  for (const table of TABLES)
    db.query(\`SELECT \${COLUMNS[sort]} FROM \${table} n WHERE \${conditions.join(' AND ')}
      ORDER BY n.\${sort} \${desc ? 'DESC' : 'ASC'} LIMIT \${LIMIT}\`, [label]);
  throw new Error(\`\${label} is not IN the list\`);
}`;

describe('SQL with a value in its text', () => {
  let folder: string;
  let status: number | null;
  let output: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-sql-'));
    writeFileSync(join(folder, 'statement.ts'), STATEMENT);
    writeFileSync(join(folder, 'allowed.ts'), ALLOWED);
    for (const [name, [, source]] of Object.entries(MISTAKES))
      writeFileSync(join(folder, `${name}.ts`), source);
    [status, output] = await new Promise((resolve) => {
      const child = execFile(process.execPath, ['scripts/sql-values.js', folder], (_, __, stderr) =>
        resolve([child.exitCode, stderr]),
      );
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const linesOf = (name: string): string[] =>
    output.split('\n').filter((line) => line.startsWith(`${relative('.', join(folder, name))}.ts:`));

  it.each(Object.entries(MISTAKES).map(([name, [title, , named]]) => [title, name, named]))(
    'is rejected: %s',
    (_, name, named) => {
      expect(linesOf(name)).toEqual([
        expect.stringMatching(new RegExp(`:\\d+:\\d+ {2}A value becomes part of the SQL: ${named}`)),
      ]);
    },
  );

  it('exits with status 1 and explains the alternative', () => {
    expect(status).toBe(1);
    expect(output).toContain("${parameters.bind(value, 'text')} from src/platform/database/statement.ts");
    expect(output).toContain('$1, with the value in the parameter list');
    expect(output).toContain(':name, with { name: value }');
  });

  it('is not reported for constants, bound values, column names and SQL fragments', () => {
    expect([...linesOf('allowed'), ...linesOf('statement')]).toEqual([]);
  });
});
