import { isMainThread, parentPort } from 'node:worker_threads';
import { SpanKind } from '@opentelemetry/api';
import { Histogram } from 'prom-client';
import { METRICS, REGISTRY } from './metrics.js';
import { noteDuration, withoutNumber } from './slowest.js';
import { recordSpan, spanned, traceHeaders, type TraceHeaders } from './spans.js';

/** Upper bounds in seconds: of what somebody waits for, and of work in the background. */
const WAITED_FOR = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
const BACKGROUND = [0.1, 1, 10, 60, 600, 3_600];
/** Of statements that are slow. */
const SLOW = [0.1, 0.5, 2.5, 10];
const SLOW_MS = 50;

const SLOW_STATEMENTS = 'prepared statements of 50 ms or longer, or that failed';

/** The kinds of work that are timed. `name` is never chosen by a caller. */
const KINDS = {
  job: timed(SpanKind.CONSUMER, 'job', 'jobs', BACKGROUND),
  statement: timed(SpanKind.CLIENT, 'database_statement', SLOW_STATEMENTS, SLOW),
  model: timed(SpanKind.CLIENT, 'model_request', 'requests to chat and transcription servers', WAITED_FOR),
  webhook: timed(SpanKind.CLIENT, 'webhook_attempt', 'requests to receivers of webhooks', WAITED_FOR),
  process: timed(SpanKind.INTERNAL, 'child_process', 'child processes', BACKGROUND),
} as const;

/**
 * Runs `work` and records how long it took and whether it threw: in `mrs_<kind>_duration_seconds`, and as a span if
 * traces are exported. `name` is one of few, such as the kind of a job; `isDone` says whether the work, which did not
 * throw, has failed all the same.
 */
export async function observed<T>(
  kind: keyof typeof KINDS,
  name: string,
  work: () => Promise<T>,
  isDone: (value: T) => boolean = () => true,
): Promise<T> {
  const begun = performance.now();
  let result = 'failed';
  try {
    const value = await spanned(`${kind} ${name}`, KINDS[kind].span, work);
    if (isDone(value)) result = 'done';
    return value;
  } finally {
    const seconds = (performance.now() - begun) / 1_000;
    if (isMainThread) KINDS[kind].durations.observe({ name, result }, seconds);
    else report({ kind, name, result, seconds, endedAt: Date.now(), trace: traceHeaders() });
  }
}

/** Counts tokens as a model server counts them. */
export function countTokens(server: string, prompt: number, reply: number): void {
  if (!isMainThread) return report({ kind: 'tokens', server, prompt, reply });
  METRICS.modelTokens.inc({ server, direction: 'prompt' }, prompt);
  METRICS.modelTokens.inc({ server, direction: 'reply' }, reply);
}

/** What a thread measures; its process keeps and exports that. */
type Measurement =
  | { readonly kind: 'tokens'; readonly server: string; readonly prompt: number; readonly reply: number }
  | {
      readonly kind: keyof typeof KINDS;
      readonly name: string;
      readonly result: string;
      readonly seconds: number;
      /** By `Date.now()`. */
      readonly endedAt: number;
      readonly trace: TraceHeaders;
    };

const report = (measurement: Measurement): void => parentPort!.postMessage(measurement, []);

/** Takes what a thread of this process has measured. */
export function takeMeasurement(of: Measurement): void {
  if (of.kind === 'tokens') return countTokens(of.server, of.prompt, of.reply);
  const { kind, name, result, seconds, endedAt, trace } = of;
  const { span, durations } = KINDS[kind];
  durations.observe({ name, result }, seconds);
  recordSpan(`${kind} ${name}`, span, trace, {
    from: endedAt - seconds * 1_000,
    to: endedAt,
    isDone: result === 'done',
  });
}

/** Notes how long a prepared statement took; a histogram of those that are fast would cost as much as sending them. */
export function noteStatement(name: string, begun: number, result: 'done' | 'failed'): void {
  const ms = performance.now() - begun;
  noteDuration('statement', name, ms);
  if (ms >= SLOW_MS || result === 'failed')
    KINDS.statement.durations.observe({ name: withoutNumber(name), result }, ms / 1_000);
}

function timed(span: SpanKind, metric: string, what: string, buckets: number[]) {
  const [name, help] = [`mrs_${metric}_duration_seconds`, `Duration of ${what}`];
  const labelNames = ['name', 'result'] as const;
  return { span, durations: new Histogram({ name, help, labelNames, buckets, registers: [REGISTRY] }) };
}
