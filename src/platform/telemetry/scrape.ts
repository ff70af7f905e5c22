import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import {
  isMetricsMessage,
  readMetrics,
  type MetricJson,
  type MetricsMessage,
  type Sample,
} from './process-metrics.js';

/** A process whose metrics are part of a scrape. */
export interface MetricSource {
  readonly role: 'api' | 'worker';
  /** From 1; a process that takes the place of another one has its number. */
  readonly number: number;
  /** Null: this process. */
  readonly child: ChildProcess | null;
}

/** How long a scrape waits for a process. */
const ANSWER_MS = 1_500;
/** How many combinations of label values a metric has; what comes later is counted as `OTHER`. */
const MAX_SETS = 20;
const MAX_SETS_OF: Readonly<Record<string, number>> = {
  mrs_http_requests_total: 260,
  mrs_http_request_duration_seconds: 35,
  mrs_job_duration_seconds: 40,
  mrs_jobs: 120,
  mrs_jobs_oldest_waiting_seconds: 40,
};
/** Labels whose value becomes `OTHER`: the first that the metric has. */
const UNITED = ['operation', 'name', 'task', 'process', 'code', 'reason'];
const OTHER = 'other';
/** What is of a process, and not of all together. */
const OF_PROCESS = /^(process|nodejs)_/;

type Metrics = readonly MetricJson[];

/** What is known of the processes that have had one number. */
interface Known {
  child: ChildProcess | null;
  /** What it said last. */
  last: Metrics;
  /** The counts of those that it took the place of: a sum that falls would look like a restart of everything. */
  ended: Metrics;
  /** The question that it has not answered. */
  asked: Promise<Metrics | null> | null;
  isSilent: boolean;
}

/** Merges the metrics of the processes of a command; scrapes at the same time share one. */
export class Scrape {
  private readonly known = new Map<string, Known>();
  private readonly sets = new Map<string, Set<string>>();
  private running: Promise<string> | null = null;

  constructor(private readonly sources: () => readonly MetricSource[]) {}

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    this.running ??= this.collect().finally(() => (this.running = null));
    return this.running;
  }

  private async collect(): Promise<string> {
    const sources = this.sources();
    // One process is asked for what all of them would say of the installation: the worker, which serves no requests.
    const answering = sources.filter((source) => !this.stateOf(source).isSilent);
    const informant = answering.find(({ role }) => role === 'worker') ?? answering[0];
    const answers = await Promise.all(sources.map((source) => this.ask(source, source === informant)));
    const counts = [...this.known.values()].flatMap(({ last, ended }) => [last, ended]).map(countsOf);
    const gauges = answers.map((values) => values.filter(({ type }) => type === 'gauge'));
    const all = await merged([...counts, ...gauges]);
    return AggregatorRegistry.aggregate([all.map((metric) => this.bounded(metric))]).metrics();
  }

  private stateOf({ role, number, child }: MetricSource): Known {
    const key = `${role} ${number}`;
    const known = this.known.get(key) ?? { child, last: [], ended: [], asked: null, isSilent: false };
    this.known.set(key, known);
    return known;
  }

  /** Resolves to nothing if the process does not answer in time. It is asked again only once it has answered. */
  private async ask(source: MetricSource, ofInstallation: boolean): Promise<Metrics> {
    const state = this.stateOf(source);
    if (state.child !== source.child) {
      const ended = await merged([state.ended, state.last].map(countsOf));
      Object.assign(state, { child: source.child, last: [], ended, asked: null });
    }
    const asked = (state.asked ??= question(source, ofInstallation));
    const values = await Promise.race([asked, sleep(ANSWER_MS, undefined, { ref: false })]);
    state.isSilent = values === undefined;
    if (values !== undefined) state.asked = null;
    if (!values) return [];
    return (state.last = values.map((metric) => labelled(metric, source)));
  }

  /** Keeps a metric from having more series than a scrape is to have, whatever callers do. */
  private bounded(metric: MetricJson): MetricJson {
    const { name } = metric;
    const sets = this.sets.get(name) ?? new Set<string>();
    this.sets.set(name, sets);
    const values = metric.values.map((sample): Sample => {
      const { le: _, ...labels } = sample.labels;
      const key = JSON.stringify(labels);
      const united = UNITED.find((label) => label in labels);
      if (united === undefined || sets.has(key)) return sample;
      if (sets.size >= (MAX_SETS_OF[name] ?? MAX_SETS))
        return { ...sample, labels: { ...sample.labels, [united]: OTHER } };
      sets.add(key);
      return sample;
    });
    return { ...metric, values };
  }
}

/** Resolves to null if the process cannot be asked, or ends. */
function question({ child }: MetricSource, ofInstallation: boolean): Promise<Metrics | null> {
  if (child === null) return readMetrics(ofInstallation);
  return new Promise((resolve) => {
    const settle = (values: Metrics | null): void => {
      child.off('message', receive).off('exit', gone);
      resolve(values);
    };
    const receive = (message: unknown): void => {
      if (isMetricsMessage(message) && message.metrics === 'answer') settle(message.values);
    };
    const gone = (): void => settle(null);
    child.on('message', receive).once('exit', gone);
    const ask: MetricsMessage = { metrics: 'ask', ofInstallation };
    if (child.connected) child.send(ask, (error) => error && gone());
    else gone();
  });
}

const countsOf = (metrics: Metrics): Metrics => metrics.filter(({ type }) => type !== 'gauge');

const merged = async (all: readonly Metrics[]): Promise<Metrics> =>
  (await AggregatorRegistry.aggregate([...all]).getMetricsAsJSON()) as unknown as Metrics;

/** Says which process something of a process is about; counts of garbage collections are those of all of a role. */
function labelled(metric: MetricJson, { role, number }: MetricSource): MetricJson {
  // Before the first measurement there is none, and JSON has no word for that.
  const measured = metric.values.filter(({ value }) => Number.isFinite(value));
  if (!OF_PROCESS.test(metric.name)) return { ...metric, values: measured };
  const of: Sample['labels'] = metric.type === 'histogram' ? { role } : { role, process: number };
  const values = measured.map((sample) => ({ ...sample, labels: { ...sample.labels, ...of } }));
  return { ...metric, aggregator: 'sum', values };
}
