import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

const BENCH = fileURLToPath(new URL('../../bench/api', import.meta.url));
const SIDES = ['service', 'yardstick'];
const DETAIL = 'GET /recordings/:id';

interface Found {
  readonly at: string;
  readonly what: string;
}
interface Comparison {
  readonly compared?: number;
  readonly differs?: string;
}
interface Bench {
  readonly compare: boolean;
  readonly sides: readonly string[];
  readonly asker: { answer: (side: string) => Promise<{ status: number; body: Buffer }> };
  readonly say: (line: string) => void;
}
interface Asked {
  readonly method: string;
  readonly path: string;
}
interface Differences {
  differencesOf(service: string, yardstick: string): Found[];
  inWords(found: Found[]): string;
}
interface Comparing {
  compareAnswers(bench: Bench, name: string, asks: readonly Asked[]): Promise<Comparison>;
  withComparison<Row extends object>(row: Row, comparison: Comparison): Row;
}
interface Report {
  tables(parts: readonly object[]): string;
  closingLine(parts: readonly object[]): string | null;
}

/** The bench is JavaScript without types. */
const load = async <Module>(name: string): Promise<Module> => (await import(`${BENCH}/${name}.js`)) as Module;

describe('comparing replies in the bench', () => {
  let differences: Differences;
  let comparing: Comparing;
  let report: Report;
  beforeAll(async () => {
    differences = await load('differences');
    comparing = await load('comparison');
    report = await load('report');
  });

  function described(service: object, yardstick: object): string {
    const [one, other] = [service, yardstick].map((reply) => JSON.stringify(reply));
    return differences.inWords(differences.differencesOf(one!, other!));
  }

  function benchOf(service: object, yardstick: object): { bench: Bench; lines: string[] } {
    const lines: string[] = [];
    const answer = async (side: string): Promise<{ status: number; body: Buffer }> => ({
      status: 200,
      body: Buffer.from(JSON.stringify(side === 'service' ? service : yardstick)),
    });
    return {
      bench: { compare: true, sides: SIDES, asker: { answer }, say: (line) => lines.push(line) },
      lines,
    };
  }

  it.each([
    ['the same', { data: { id: 1 } }, { data: { id: 1 } }, ''],
    ['a missing field', { data: { id: 1, foo: 2 } }, { data: { id: 1 } }, 'data.foo is missing'],
    [
      'an extra field',
      { data: { id: 1 } },
      { data: { id: 1, foo: 2 } },
      'data.foo is not in the reply of the service',
    ],
    [
      'a missing nested field',
      { data: [{ a: { b: [1] } }] },
      { data: [{ a: {} }] },
      'data[0].a.b is missing',
    ],
    ['a different value', { data: { a: 'one' } }, { data: { a: null } }, 'data.a is null instead of "one"'],
    [
      'a list of different length',
      { data: { a: [1, 2, 3] } },
      { data: { a: [1] } },
      'data.a has length 1 instead of 3',
    ],
    [
      'fields in a different order',
      { data: { a: 1, b: 2 } },
      { data: { b: 2, a: 1 } },
      'data has the same values but different bytes: it is {"b":2,"a":1} instead of {"a":1,"b":2}',
    ],
    [
      'a different total',
      { data: [], pagination: { total: 2, limit: 20 } },
      { data: [], pagination: { total: 1 } },
      'pagination.total is 1 instead of 2',
    ],
    [
      'less pagination, which the yardstick may omit',
      { data: [], pagination: { total: 2, limit: 20 } },
      { data: [], pagination: { total: 2 } },
      '',
    ],
  ])('describes %s', (_, service, yardstick, text) => {
    expect(described(service, yardstick)).toBe(text);
  });

  it('shows the differing part of long values, and only a few of many differences', () => {
    const long = `${'a'.repeat(1000)}X${'b'.repeat(1000)}`;
    const text = described({ data: { url: long } }, { data: { url: long.replace('X', 'Y') } });
    expect(text).toMatch(/^data\.url is \.\.\.a+Yb+\.\.\. instead of \.\.\.a+Xb+\.\.\.$/);
    expect(text.length).toBeLessThan(250);

    const rows = Array.from({ length: 100 }, (_, id) => ({ id, foo: 1 }));
    expect(described({ data: rows }, { data: rows.map(({ id }) => ({ id })) })).toBe(
      'data[0].foo is missing; data[1].foo is missing; data[2].foo is missing; data[3].foo is missing; ' +
        'data[4].foo is missing; and 95 more',
    );
  });

  it('reports the differences of a case once', async () => {
    const { bench, lines } = benchOf({ data: { id: 1, foo: 2 } }, { data: { id: 1 } });
    const asks = ['/one', '/two'].map((path) => ({ method: 'GET', path }));
    const differs = "the yardstick's reply differs: data.foo is missing (GET /one)";
    expect(await comparing.compareAnswers(bench, DETAIL, asks)).toEqual({ compared: 0, differs });
    expect(lines).toEqual([`${DETAIL}: ${differs}`]);
  });

  it('counts the identical bytes and reports nothing', async () => {
    const { bench, lines } = benchOf({ data: 1 }, { data: 1 });
    const asks = ['/one', '/two'].map((path) => ({ method: 'GET', path }));
    expect(await comparing.compareAnswers(bench, DETAIL, asks)).toEqual({ compared: 20 });
    expect(lines).toEqual([]);
  });

  it('sends no requests without a comparison', async () => {
    const { bench } = benchOf({ data: 1 }, { data: 2 });
    const asker = { answer: () => Promise.reject(new Error('was asked')) };
    const asks = [{ method: 'GET', path: '/one' }];
    expect(await comparing.compareAnswers({ ...bench, asker, compare: false }, DETAIL, asks)).toEqual({});
  });

  it('marks differing rows in the table and names them in the last line', () => {
    const row = {
      case: DETAIL,
      service: '1 rps',
      yardstick: '2 rps',
      ratio: 0.5,
      target: '>= 0.60',
      met: false,
    };
    const differing = comparing.withComparison(row, { compared: 0, differs: 'data.foo is missing' });
    expect(differing).toEqual({ ...row, met: null, compared: 0, differs: 'data.foo is missing' });
    const alike = comparing.withComparison({ ...row, case: 'another' }, { compared: 20 });
    const parts = [{ title: 'Reach', rows: [differing, alike] }];
    expect(report.tables(parts)).toMatch(/:id .* not comparable\nanother .* NO\n/);
    expect(report.closingLine(parts)).toBe(`Replies differ, so these cases are not comparable: ${DETAIL}`);
    expect(report.closingLine([{ title: 'Reach', rows: [alike] }])).toBeNull();
  });
});
