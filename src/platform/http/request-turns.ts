import { availableParallelism } from 'node:os';
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
import { FairQueue } from '../work/fair-queue.js';
import { ENDPOINT_INPUTS, type EndpointInputs } from './endpoint-inputs.js';
import { clientGone } from './client-gone.decorator.js';

/** What takes longer waits for something else, such as another server, or for the bytes of an upload. */
const TURN_MS = { request: 1_000, upload: 250 };
/** Worked on at a time for one user: as many as keep the machine busy. Those that wait hold their bodies in memory. */
const USERS = {
  atOnce: Infinity,
  atOnceEach: Math.min(8, Math.max(2, availableParallelism())),
  waiting: 1_000,
  waitingEach: 100,
};
/** For all who have no API key and ask for the same thing; their bodies are small. */
const PUBLIC = { atOnce: Infinity, atOnceEach: 1, waiting: 5_000, waitingEach: 1_000 };

const TURNS_BY = Symbol('TURNS_BY');

/** On controllers that need no API key: requests with the same value of this path parameter take turns. */
export const TurnsBy = (parameter: string): ClassDecorator => SetMetadata(TURNS_BY, parameter);

/**
 * Works on a few requests of each caller at a time; what else they have sent waits its turn. So a caller with many
 * connections waits for their own requests, and others do not wait for them. Beyond the bounds requests are refused with 503
 * `SERVICE_UNAVAILABLE`; those whose client has gone are dropped.
 */
@Injectable()
export class RequestTurns implements NestInterceptor {
  private readonly users = new FairQueue(USERS);
  private readonly public = new FairQueue(PUBLIC);

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { caller?: { readonly id: string } }>();
    const parameter = this.reflector.get<string | undefined>(TURNS_BY, context.getClass());
    if (!request.caller && parameter === undefined) return next.handle();
    const queue = request.caller ? this.users : this.public;
    const key = request.caller?.id ?? String(request.params[parameter ?? '']);
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    const signal = clientGone(http.getResponse<Response>());
    const inputs = this.reflector.get<EndpointInputs | undefined>(ENDPOINT_INPUTS, context.getHandler());
    const turnMs = inputs?.stream ? TURN_MS.upload : TURN_MS.request;
    return from(queue.run(key, work, { signal, turnMs }));
  }
}
