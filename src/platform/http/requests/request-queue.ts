import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { countCores } from '../../runtime/cores.js';
import { FairQueue } from '../../work/fair-queue.js';
import { ENDPOINT_INPUTS, type EndpointInputs } from './endpoint-inputs.js';
import { clientGone } from './client-gone.decorator.js';

/** A request that runs longer is waiting for something else, such as another server or the bytes of an upload. */
const SLOT_MS = { request: 1_000, upload: 250 };
/** Concurrent requests per user: enough to keep the machine busy. Waiting requests hold their bodies in memory. */
const CORES = Math.min(8, Math.max(2, countCores()));
const USERS = {
  atOnce: Infinity,
  atOnceEach: CORES,
  /** Cheap requests of others pass the expensive ones of one user. */
  atOnceIfExpensive: Math.floor(CORES / 2),
  waiting: 1_000,
  waitingEach: 100,
};
/** Shared by everyone without an API key who requests the same resource; the bodies are small. */
const PUBLIC = { atOnce: Infinity, atOnceEach: 1, waiting: 5_000, waitingEach: 1_000 };

const QUEUED_BY = Symbol('QUEUED_BY');

/** Marks controllers that need no API key: requests with the same value of this path parameter share a queue. */
export const QueuedBy = (parameter: string): ClassDecorator => SetMetadata(QUEUED_BY, parameter);

/**
 * Runs a few requests of each caller at a time and queues the rest, so that a caller with many connections delays only
 * their own requests. A full queue is answered with 503 `SERVICE_UNAVAILABLE`; requests whose client has disconnected
 * are dropped.
 */
@Injectable()
export class RequestQueue implements NestInterceptor {
  private readonly users = new FairQueue(USERS);
  private readonly public = new FairQueue(PUBLIC);

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { caller?: { readonly id: string } }>();
    const parameter = this.reflector.get<string | undefined>(QUEUED_BY, context.getClass());
    if (!request.caller && parameter === undefined) return next.handle();
    const queue = request.caller ? this.users : this.public;
    const key = request.caller?.id ?? String(request.params[parameter ?? '']);
    if (!request.caller) this.users.present(key);
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    const signal = clientGone(http.getResponse<Response>());
    const inputs = this.reflector.get<EndpointInputs | undefined>(ENDPOINT_INPUTS, context.getHandler());
    const waits = inputs?.stream;
    const slotMs = waits ? SLOT_MS.upload : SLOT_MS.request;
    return from(queue.run(key, work, { signal, slotMs, waits }));
  }
}
