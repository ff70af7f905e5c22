import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { countCores } from '../../runtime/cores.js';
import { FairQueue, type GiveBack, type QueueOptions } from '../../work/fair-queue.js';
import { watch } from '../../telemetry/metrics.js';
import { ENDPOINT_INPUTS, type EndpointInputs } from './endpoint-inputs.js';
import { clientGone } from './client-gone.decorator.js';

/** A request that runs longer is waiting for something else, such as another server or the bytes of an upload. */
const REQUEST: QueueOptions = { slotMs: 1_000 };
const UPLOAD: QueueOptions = { slotMs: 250, waits: true };
const CORES = Math.min(8, Math.max(2, countCores()));
/** Concurrent requests per user: enough to keep the machine busy. Waiting requests hold their bodies in memory. */
const USERS = {
  atOnce: Infinity,
  atOnceEach: CORES,
  /** Enough that their statements travel together. */
  atOnceIfCheap: 16,
  /** Cheap requests of others pass the expensive ones of one user. */
  atOnceIfExpensive: Math.floor(CORES / 2),
  waiting: 1_000,
  waitingEach: 100,
};
/** Shared by everyone without an API key who requests the same resource; the bodies are small. */
const PUBLIC = { atOnce: Infinity, atOnceEach: 1, waiting: 5_000, waitingEach: 1_000 };

const QUEUED_BY = Symbol('QUEUED_BY');

declare global {
  namespace Express {
    interface Response {
      /** Gives the slot of the request back, once the reply is being sent. */
      slot?: GiveBack;
    }
  }
}

/** Marks controllers that need no API key: requests with the same value of this path parameter share a queue. */
export const QueuedBy = (parameter: string, by: 'share link' | 'anyone'): ClassDecorator =>
  SetMetadata(QUEUED_BY, { parameter, by } satisfies Queued);

interface Queued {
  readonly parameter: string;
  /** What callers have; for metrics. */
  readonly by: 'share link' | 'anyone';
}

/**
 * Runs a few requests of each caller at a time and queues the rest, so that a caller with many connections delays only
 * their own requests. A full queue is answered with 503 `SERVICE_UNAVAILABLE`; requests whose client has disconnected
 * are dropped. The last guard: an interceptor, which could do the same, costs every request ten times as much
 * (docs/performance.md).
 */
@Injectable()
export class RequestQueue implements CanActivate {
  private readonly users = new FairQueue(USERS);
  private readonly public = new FairQueue(PUBLIC);

  constructor(private readonly reflector: Reflector) {
    watch('mrs_request_queue', 'Requests of callers that run, and that wait for their turn', () => ({
      running: this.users.load.running + this.public.load.running,
      waiting: this.users.load.waiting + this.public.load.waiting,
    }));
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { caller?: { readonly id: string } }>();
    const queued = this.reflector.get<Queued | undefined>(QUEUED_BY, context.getClass());
    if (!request.caller && !queued) return true;
    const queue = request.caller ? this.users : this.public;
    const key = request.caller?.id ?? String(request.params[queued?.parameter ?? '']);
    if (queued?.by === 'share link') request.withShareLink = true;
    if (!request.caller) this.users.present(key);
    const inputs = this.reflector.get<EndpointInputs | undefined>(ENDPOINT_INPUTS, context.getHandler());
    const options = inputs?.stream ? UPLOAD : REQUEST;
    const response = http.getResponse<Response>();
    const slot = queue.take(key, options);
    if (slot === null)
      return queue.wait(key, { ...options, signal: clientGone(response) }).then((later) => {
        response.slot = later;
        return true;
      });
    response.slot = slot;
    return true;
  }
}
