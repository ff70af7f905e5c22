import { AsyncLocalStorage } from 'node:async_hooks';

/** What a job goes back to; empty for one that is scheduled. */
export interface Cause {
  /** Id of the request that enqueued it, perhaps through other jobs. */
  readonly requestId?: string;
  /** The span that enqueued it, as in the header of this name (W3C Trace Context), if traces are exported. */
  readonly traceparent?: string;
}

/** That of the running job. Requests pass their id as an argument: ambient context would make each of them slower. */
const current = new AsyncLocalStorage<Cause>();

export const causeOfJob = (): Cause | undefined => current.getStore();

export const runCausedBy = <T>(cause: Cause, work: () => T): T => current.run(cause, work);

/**
 * The id of the trace that is being recorded. Replaced where traces are exported, because every process writes a log,
 * also those that do without the packages of OpenTelemetry.
 */
export const currentTrace: { id: () => string | undefined } = { id: () => undefined };

/** What a line of the log says of the work it is about, besides its own fields. */
export function workFields(): { readonly requestId?: string; readonly traceId?: string } | undefined {
  const requestId = causeOfJob()?.requestId;
  const traceId = currentTrace.id();
  if (requestId === undefined && traceId === undefined) return undefined;
  return { ...(requestId && { requestId }), ...(traceId && { traceId }) };
}
