import { describe, expect, it } from '@jest/globals';
import { filesOverBudget, stillOverBudget, totalOverBudget } from '../../scripts/test/budget.js';

const file = (name: string, seconds: number) => ({ file: `test/${name}.spec.ts`, seconds });
const report = (...names: string[]) => ({
  testResults: [{ assertionResults: names.map((fullName) => ({ status: 'passed', fullName })) }],
});

describe('the budget of a whole run', () => {
  it('is kept by files that together take no longer', () => {
    const used = { total: 440, files: [file('one', 6), file('two', 0.1)] };
    expect(filesOverBudget(used, report('one'))).toEqual([]);
    expect(totalOverBudget(used, report('one'))).toEqual([]);
  });

  it('names a file that takes more, and a total', () => {
    const used = { total: 700, files: [file('one', 12), file('two', 5)] };
    expect(filesOverBudget(used, report('one'))).toEqual([
      {
        file: 'test/one.spec.ts',
        line: expect.stringMatching(/^over budget: test\/one\.spec\.ts took 12\.0 CPU seconds, not 6 /),
      },
    ]);
    expect(totalOverBudget(used, report('one'))).toEqual([
      expect.stringMatching(/^over budget: all files took 700\.0 CPU seconds, not 440 /),
    ]);
  });

  it('is exceeded by a file only if it is also alone, or fails then', async () => {
    const dear = ['garbage', 'dear', 'broken'].map((name) => file(name, 12));
    const alone = async (path: string) => ({
      status: path.includes('broken') ? 1 : 0,
      used: { files: [{ file: path, seconds: path.includes('dear') ? 10 : 2 }] },
      report: report('one'),
    });
    expect(await stillOverBudget(filesOverBudget({ files: dear }, report('one')), alone)).toEqual([
      expect.stringMatching(/^over budget: test\/dear\.spec\.ts took 10\.0 CPU seconds, not 6 /),
      'failed when run again alone: test/broken.spec.ts',
    ]);
  });

  it('does not count what needs more than npm', () => {
    const used = { total: 700, files: [file('one', 12)] };
    for (const over of [filesOverBudget, totalOverBudget]) {
      expect(over(used, report('plays [needs Chromium]'))).toEqual([]);
      expect(over(used, report('stops [needs Linux]'))).toHaveLength(1);
    }
  });
});
