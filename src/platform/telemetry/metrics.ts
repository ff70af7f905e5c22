import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What this process counts. */
export const REGISTRY = new Registry();
const registers = [REGISTRY];

const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
  new Counter({ name, help, labelNames, registers });

/** What processes count. Label values are words of the code, never chosen by a caller. */
export const METRICS = {
  refusals: counter('mrs_http_refusals_total', 'Requests and connections refused by a limit', 'reason'),
  uploadedBytes: counter('mrs_upload_received_bytes_total', 'Bytes of uploads that were acknowledged'),
  sentBytes: counter('mrs_media_sent_bytes_total', 'Bytes of media files sent to clients'),
  signInsRefused: counter(
    'mrs_sign_ins_refused_total',
    'Requests whose API key or sign-in was refused',
    'code',
  ),
  reads: counter('mrs_database_reads_total', 'Reads that a replica of the database may serve', 'server'),
  modelTokens: counter('mrs_model_tokens_total', 'Tokens, as chat servers count them', 'server', 'direction'),
  poolWait: new Histogram({
    name: 'mrs_database_pool_wait_seconds',
    help: 'Time until prepared statements had a connection, if 1 ms or longer',
    buckets: [0.01, 0.1, 1, 5],
    registers,
  }),
  speedRatio: new Histogram({
    name: 'mrs_media_speed_ratio',
    help: 'Seconds of media per second of work',
    labelNames: ['work'],
    buckets: [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100],
    registers,
  }),
} as const;

interface EndedRequest {
  readonly operation: string;
  /** 499: the client left before the reply. */
  readonly status: number;
  readonly caller: string;
  readonly seconds: number;
}

const MAX_ENDED = 500;
const ended: EndedRequest[] = [];
const requests = new Counter({
  name: 'mrs_http_requests_total',
  help: 'Requests; 499: the client left before the reply',
  labelNames: ['operation', 'status', 'caller'],
  registers,
  collect: countEnded,
});
const requestSeconds = new Histogram({
  name: 'mrs_http_request_duration_seconds',
  help: 'Time from the headers of a request to the end of its reply',
  labelNames: ['operation'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
  registers,
  collect: countEnded,
});

/** Notes a request that has ended. Many are counted together, which takes a fifth of the time of one after another. */
export function noteRequest(request: EndedRequest): void {
  if (ended.push(request) >= MAX_ENDED) countEnded();
}

function countEnded(): void {
  for (const { operation, status, caller, seconds } of ended.splice(0)) {
    requests.inc({ operation, status, caller });
    requestSeconds.observe({ operation }, seconds);
  }
}

/** Records how fast media was processed: `seconds` is its length, `begun` the start by `performance.now()`. */
export function noteSpeed(
  work: 'packaging' | 'transcription' | 'live',
  seconds: number,
  begun: number,
): void {
  if (seconds > 0) METRICS.speedRatio.observe({ work }, (seconds * 1_000) / (performance.now() - begun));
}

/** Adds a gauge of this process that is read at a scrape: a number, or one for each state. */
export function watch(name: string, help: string, read: () => number | Record<string, number>): void {
  REGISTRY.removeSingleMetric(name);
  const gauge: Gauge<'state'> = new Gauge({
    name,
    help,
    labelNames: ['state'],
    registers,
    collect: () => {
      const reading = read();
      if (typeof reading === 'number') gauge.set(reading);
      else for (const [state, value] of Object.entries(reading)) gauge.set({ state }, value);
    },
  });
}
