import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Tracer } from '@opentelemetry/api';
import { currentTrace } from './cause.js';

/** Null unless traces are exported: work is then not wrapped at all. */
let tracer: Tracer | null = null;

export const isTracing = (): boolean => tracer !== null;

/** Called once spans have somewhere to go, and when they no longer have. */
export function setTracing(on: boolean): void {
  tracer = on ? trace.getTracer('meeting-recording-service') : null;
  currentTrace.id = () => trace.getActiveSpan()?.spanContext().traceId;
}

/** Runs `work` as a span of the current trace, if traces are exported. `name` is one of few. */
export function spanned<T>(name: string, kind: SpanKind, work: () => Promise<T>): Promise<T> {
  if (!tracer) return work();
  return tracer.startActiveSpan(name, { kind }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // Its message may quote a value, a URL or a key.
      const { code, name: type } = error as { readonly code?: unknown; readonly name?: unknown };
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', String(code ?? type));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The same for a detail, which is of no interest unless there is a trace that it is part of. */
export const spannedWithin = <T>(name: string, kind: SpanKind, work: () => Promise<T>): Promise<T> =>
  tracer && trace.getActiveSpan() ? spanned(name, kind, work) : work();

/** Records a span of what has ended: `from` and `to` by `Date.now()`, with the trace that it belongs to. */
export function recordSpan(
  name: string,
  kind: SpanKind,
  headers: TraceHeaders,
  { from, to, isDone }: { readonly from: number; readonly to: number; readonly isDone: boolean },
): void {
  const span = tracer?.startSpan(name, { kind, startTime: from }, contextOf(headers.traceparent));
  if (!isDone) span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end(to);
}

/** The context of a trace that was left with this header. One that is invalid, or none, begins another trace. */
export const contextOf = (traceparent: string | null | undefined): Context =>
  propagation.extract(ROOT_CONTEXT, { traceparent });

export const continueTrace = <T>(traceparent: string | null | undefined, work: () => T): T =>
  tracer ? context.with(contextOf(traceparent), work) : work();

export type TraceHeaders = { readonly traceparent?: string };
let inherited: TraceHeaders = {};

/** Called in a thread, which exports no spans, with the header of the trace that its task belongs to. */
export const inheritTrace = (headers: TraceHeaders): void => void (inherited = headers);

/**
 * The header with which others continue the current trace (W3C Trace Context). `tracestate` and `baggage` are not passed
 * on: callers write them, and they are not meant for other servers.
 */
export function traceHeaders(): TraceHeaders {
  if (!tracer) return inherited;
  const headers = {};
  propagation.inject(context.active(), headers);
  return headers;
}
