import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { contextOf } from '../../telemetry/spans.js';
import { kindOf, type LoggedCaller } from './request-log.js';

/**
 * Runs `work` in a span of the request, which continues the trace of the caller and ends with the reply. It has the route,
 * never the URL: ids may be secrets, and queries have search terms and signatures. Health checks are not worth a trace.
 */
export function traceRequest(
  request: Request & { readonly caller?: LoggedCaller },
  response: Response,
  work: () => void,
): void {
  if (request.originalUrl.startsWith('/health/')) return work();
  const { method, headers } = request;
  // One that was sent twice is invalid.
  const parent = contextOf(String(headers['traceparent']));
  const attributes = { 'http.request.method': method };
  const tracer = trace.getTracer('meeting-recording-service');
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  request.traceId = span.spanContext().traceId;
  response.once('close', () => {
    const { id, operation, errorCode } = request;
    const { statusCode } = response;
    span.updateName(operation ?? method).setAttributes({
      'http.response.status_code': statusCode,
      'http.route': (request.route as { readonly path?: string } | undefined)?.path,
      'error.type': errorCode,
      'mrs.request_id': id,
      'mrs.caller': kindOf(request),
    });
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(parent, span), work);
}
