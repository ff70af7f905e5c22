import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import type { NodeTracerConfig, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { MINUTE_MS } from '../lib/durations.js';
import { projectVersion } from '../lib/project-root.js';
import { shareWithPackages } from '../platform/config/read-settings.js';
import type { Settings } from '../platform/config/settings.js';
import type { AppLogger } from '../platform/logging/app-logger.js';
import { isTracing, setTracing } from '../platform/telemetry/spans.js';

/** How long a process that stops waits for the collector to take the last spans. */
const FLUSH_MS = 1_000;
const WARN_EVERY_MS = MINUTE_MS;

type Resource = NonNullable<NodeTracerConfig['resource']>;

/**
 * Exports spans from now on, if the settings name a collector; only then are the packages loaded. Spans wait in a bounded
 * queue for a collector that is away, and are dropped when it is full. Resolves to what ends it.
 */
export async function startTracing(
  { traces }: Pick<Settings, 'traces'>,
  role: 'api' | 'worker',
  logger: AppLogger,
): Promise<() => Promise<void>> {
  if (!traces || isTracing()) return async () => undefined;
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  shareWithPackages(traces);
  const names = { 'service.name': traces.OTEL_SERVICE_NAME, 'service.version': projectVersion() };
  const provider = new NodeTracerProvider({
    resource: resourceOf({ ...names, 'process.pid': process.pid, 'mrs.role': role }),
    spanProcessors: [new BatchSpanProcessor(warning(new OTLPTraceExporter(), logger))],
  });
  provider.register();
  setTracing(true);
  return async () => {
    setTracing(false);
    // Why it fails is in the log by then.
    const flushed = provider.shutdown().catch(() => undefined);
    await Promise.race([flushed, sleep(FLUSH_MS)]);
    for (const api of [trace, context, propagation]) api.disable();
  };
}

/** Says when the collector takes no spans; otherwise nothing would. */
function warning(exporter: SpanExporter, logger: AppLogger): SpanExporter {
  let warnedAt = -Infinity;
  const warn = ({ message, code }: NodeJS.ErrnoException): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    logger.warn({ reason: message, code }, 'the collector takes no traces');
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) warn(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** What makes these is in a package of the SDK's own. */
function resourceOf(attributes: Resource['attributes']): Resource {
  const getRawAttributes = () => Object.entries(attributes);
  const resource: Resource = { attributes, getRawAttributes, merge: () => resource };
  return resource;
}
