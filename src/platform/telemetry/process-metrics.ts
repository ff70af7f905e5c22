import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { REGISTRY } from './metrics.js';
import { projectVersion } from '../../lib/project-root.js';

/** Of the library's metrics of a process; the others are details of them, or differ in name alone. */
export const PROCESS_METRICS: ReadonlySet<string> = new Set([
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_eventloop_lag_max_seconds',
  'nodejs_heap_size_used_bytes',
  'nodejs_external_memory_bytes',
  'nodejs_gc_duration_seconds',
]);

/** A metric as processes send it to the one that serves a scrape. */
export interface MetricJson {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: 'sum' | 'first';
  readonly values: readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The question of the process that serves a scrape, and the answer; other messages use the same channel. */
export type MetricsMessage =
  | { readonly metrics: 'ask'; readonly ofInstallation: boolean }
  | { readonly metrics: 'answer'; readonly values: readonly MetricJson[] };

export const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message;

type ReadMetrics = () => Promise<readonly MetricJson[]>;
let ofInstallation: ReadMetrics | undefined;

/** Sets how to read what concerns the whole installation, not this process; the modules know. */
export function provideInstallation(read: ReadMetrics): void {
  ofInstallation = read;
}

const ofProcess = new Registry();

/** Begins to measure this process. */
export function measureProcess(): void {
  const options = { eventLoopMonitoringPrecision: 20, gcDurationBuckets: [0.01, 0.1, 1] };
  collectDefaultMetrics({ ...options, register: ofProcess });
  const labels = { version: projectVersion(), node: process.version };
  const name = 'mrs_build_info';
  const help = 'The release of the service and of Node.js; the value is 1';
  const labelNames = Object.keys(labels);
  REGISTRY.removeSingleMetric(name);
  new Gauge({ name, help, labelNames, aggregator: 'first', registers: [REGISTRY] }).set(labels, 1);
}

/** All metrics of this process, and those of the installation if they are asked for. */
export async function readMetrics(withInstallation: boolean): Promise<readonly MetricJson[]> {
  const own = (await REGISTRY.getMetricsAsJSON()) as unknown as MetricJson[];
  const all = (await ofProcess.getMetricsAsJSON()) as unknown as MetricJson[];
  const measured = all.filter(({ name }) => PROCESS_METRICS.has(name));
  return [...own, ...measured, ...(withInstallation && ofInstallation ? await ofInstallation() : [])];
}

/** Answers the process that started this one whenever it asks. `onError` gets what is wrong with the metrics. */
export function answerMetrics(onError: (error: unknown) => void): void {
  measureProcess();
  process.on('message', (message) => {
    if (isMetricsMessage(message) && message.metrics === 'ask') void answer(message.ofInstallation, onError);
  });
}

async function answer(withInstallation: boolean, onError: (error: unknown) => void): Promise<void> {
  try {
    const message: MetricsMessage = { metrics: 'answer', values: await readMetrics(withInstallation) };
    // The process that asked may be gone.
    process.send?.(message, undefined, undefined, () => undefined);
  } catch (error) {
    onError(error);
  }
}
