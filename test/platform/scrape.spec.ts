import { EventEmitter } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import type { MetricJson } from '../../src/platform/telemetry/process-metrics.js';
import { Scrape, type MetricSource } from '../../src/platform/telemetry/scrape.js';
import { DOCUMENTED, seriesOf, valueOf } from '../support/metrics.js';

const MAX_SERIES = 2_000;

/** Answers like a process, unless it hangs. */
class FakeProcess extends EventEmitter {
  connected = true;
  hangs = false;
  asked = 0;

  constructor(public values: MetricJson[]) {
    super();
  }

  send(): void {
    this.asked += 1;
    if (!this.hangs) this.answer();
  }

  answer(): void {
    const values: unknown = JSON.parse(JSON.stringify(this.values));
    setImmediate(() => this.emit('message', { metrics: 'answer', values }));
  }
}

const counted = (value: number): MetricJson => ({
  name: 'mrs_things_total',
  help: 'Things',
  type: 'counter',
  aggregator: 'sum',
  values: [{ labels: {}, value }],
});
const gauged = (name: string, value: number): MetricJson => ({
  ...counted(value),
  name,
  type: 'gauge',
});
const source = (process: FakeProcess, number: number): MetricSource => ({
  role: 'api',
  number,
  child: process as unknown as ChildProcess,
});

describe('a scrape', () => {
  it('adds up what processes count, and says of which process memory is', async () => {
    const memory = 'process_resident_memory_bytes';
    const first = new FakeProcess([counted(3), gauged('mrs_open', 1), gauged(memory, 100)]);
    const second = new FakeProcess([counted(4), gauged('mrs_open', 1), gauged(memory, 200)]);
    const text = await new Scrape(() => [source(first, 1), source(second, 2)]).text();
    expect(seriesOf(text).sort()).toEqual([
      'mrs_open 2',
      'mrs_things_total 7',
      'process_resident_memory_bytes{role="api",process="1"} 100',
      'process_resident_memory_bytes{role="api",process="2"} 200',
    ]);
  });

  it('waits two seconds at most for a process that hangs, and what that had counted is not lost', async () => {
    const first = new FakeProcess([counted(3), gauged('mrs_open', 1)]);
    const hanging = new FakeProcess([counted(4), gauged('mrs_open', 1)]);
    const scrape = new Scrape(() => [source(first, 1), source(hanging, 2)]);
    await scrape.text();
    hanging.hangs = true;
    const begun = performance.now();
    const [text, same] = await Promise.all([scrape.text(), scrape.text()]);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(seriesOf(text)).toEqual(['mrs_things_total 7', 'mrs_open 1']);
    expect(same).toBe(text);
    // It is not asked again before it has answered.
    expect([first.asked, hanging.asked]).toEqual([2, 2]);
    hanging.answer();
    expect(valueOf(await scrape.text(), 'mrs_open')).toBe(2);
  });

  it('never counts less after a process has ended and another one has taken its place', async () => {
    const ended = new FakeProcess([counted(4)]);
    let sources = [source(ended, 1)];
    const scrape = new Scrape(() => sources);
    const read = async (): Promise<number | undefined> => valueOf(await scrape.text(), 'mrs_things_total');
    expect(await read()).toBe(4);
    ended.connected = false;
    expect(await read()).toBe(4);
    sources = [];
    expect(await read()).toBe(4);
    const another = new FakeProcess([counted(1)]);
    sources = [source(another, 1)];
    expect(await read()).toBe(5);
    another.values = [counted(2)];
    expect(await read()).toBe(6);
  });

  it('leaves out a process that dies while it is asked', async () => {
    const dying = new FakeProcess([counted(4)]);
    dying.hangs = true;
    const scraped = new Scrape(() => [source(dying, 1)]).text();
    dying.emit('exit');
    expect(seriesOf(await scraped)).toEqual([]);
  });

  it('has under 2,000 series, whatever happens in however many processes', async () => {
    const worst = DOCUMENTED.map(worstOf);
    const ofProcess = worst.filter(({ name }) => !name.startsWith('mrs_'));
    const others = Array.from({ length: 64 }, (_, index) => source(new FakeProcess(ofProcess), index + 2));
    const processes = [source(new FakeProcess(worst), 1), ...others];
    const series = seriesOf(await new Scrape(() => processes).text());
    expect(series.length).toBeLessThan(MAX_SERIES);
    // What has no room is counted all the same.
    const requests = series.filter((line) => line.startsWith('mrs_http_requests_total'));
    const sum = requests.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
    expect(sum).toBe(OPERATIONS * STATUSES * CALLERS);
    expect(requests.some((line) => line.includes('operation="other"'))).toBe(true);
  });
});

const [OPERATIONS, STATUSES, CALLERS] = [160, 20, 4];
/** How many values a label can have. `role` and `process` come with the scrape. */
const VALUES: Readonly<Record<string, number>> = {
  operation: OPERATIONS,
  status: STATUSES,
  caller: CALLERS,
  reason: 30,
  code: 30,
  state: 4,
  task: 60,
  name: 60,
  result: 2,
  work: 3,
  server: 1,
  direction: 2,
  kind: 4,
  version: 1,
  node: 1,
};
const NAMES: Readonly<Record<string, number>> = {
  mrs_model_request_duration_seconds: 2,
  mrs_webhook_attempt_duration_seconds: 1,
  mrs_child_process_duration_seconds: 5,
};
/** With that of everything larger. */
const BUCKETS: Readonly<Record<string, number>> = {
  mrs_http_request_duration_seconds: 9,
  mrs_job_duration_seconds: 7,
  mrs_database_statement_duration_seconds: 5,
};
const MOST_BUCKETS = 10;

/** Every value of every label that the table of the documentation says a metric has. */
function worstOf({ name, type, labels }: (typeof DOCUMENTED)[number]): MetricJson {
  const own = labels.filter((label) => label in VALUES);
  let sets: Record<string, string>[] = [{}];
  for (const label of own) {
    const count = (label === 'name' && NAMES[name]) || VALUES[label]!;
    const values = Array.from({ length: count }, (_, index) => `${label}${index}`);
    sets = sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value })));
  }
  const bounds = Array.from({ length: BUCKETS[name] ?? MOST_BUCKETS }, (_, index) => ({ le: String(index) }));
  const values =
    type === 'histogram'
      ? sets.flatMap((set) => [
          ...bounds.map((bound) => ({
            labels: { ...bound, ...set },
            value: 1,
            metricName: `${name}_bucket`,
          })),
          { labels: set, value: 1, metricName: `${name}_sum` },
          { labels: set, value: 1, metricName: `${name}_count` },
        ])
      : sets.map((set) => ({ labels: set, value: 1 }));
  return { name, help: name, type, aggregator: 'sum', values };
}
