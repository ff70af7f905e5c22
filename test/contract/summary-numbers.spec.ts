import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { documented } from '../../bench/summaries/documented.js';
import { LEARNED } from '../../src/lib/extractive-summary/learned-weights.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const lastRun = JSON.parse(read('bench/summaries/last-run.json'));

describe('the numbers of summaries in docs/performance.md', () => {
  it('are those of the last run', () => {
    const lines = read('docs/performance.md').split('\n');
    for (const line of documented(lastRun)) expect(lines).toContain(line);
  });

  it('are of the weights that are shipped', () => {
    const { fitted, meetings } = LEARNED;
    expect({ fitted, meetings }).toEqual({ fitted: lastRun.fitted, meetings: lastRun.meetings });
  });
});
