import {
  Injectable,
  RequestMethod,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ENDPOINT_INPUTS, type EndpointInputs } from '../http/requests/endpoint-inputs.js';
import { uuidsIn } from '../ids.js';
import { toServiceError } from '../http/replies/error.filter.js';
import type { JsonText } from '../http/replies/json-text.js';
import { setReplyHeaders } from '../http/replies/reply-headers.js';
import { CallerSecrets } from './caller-secrets.js';
import { IdempotencyClaims } from './idempotency-claims.service.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { IDEMPOTENCY_LIMITS } from '../http-limits.js';
import { isFinal, jsonTextOf, readKept, repeat, storedRefusal, storedSuccess } from './kept-reply.js';
import type { Claim } from './idempotency.queries.js';
import { carriedRequest, type CarriedRequest } from './repeatable-decision.js';
import { ReplyChecks } from './reply-checks.service.js';

type CallersRequest = Request & { caller?: { readonly id: string } };

/**
 * Carries a request with an `Idempotency-Key` out once: repeated with the same key, it gets the same reply. Runs after
 * the guards, so a repeated request is authenticated and counted like any other; what else let the first one pass is
 * decided again (`RepeatableDecision`). Secrets are not kept.
 */
@Injectable()
export class Idempotency implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly claims: IdempotencyClaims,
    private readonly checks: ReplyChecks,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<CallersRequest>();
    if (request.headers['idempotency-key'] === undefined) return next.handle();
    const inputs = this.reflector.get<EndpointInputs | undefined>(ENDPOINT_INPUTS, context.getHandler());
    const { credential } = request;
    if (!inputs || !request.caller || credential === undefined) return next.handle();
    const call = { request, inputs, secrets: new CallerSecrets(credential), caller: request.caller };
    const work = async (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.once(call, http.getResponse<Response>(), work));
  }

  private async once(
    { request, inputs, secrets, caller }: Call,
    response: Response,
    work: () => Promise<unknown>,
  ): Promise<JsonText> {
    const id = secrets.idOf(readIdempotencyKey(request)!);
    const { id: userId } = caller;
    const claim = await this.claims.claim({
      id,
      userId,
      request: secrets.fingerprint({
        method: request.method,
        url: request.originalUrl,
        precondition: request.headers['if-match'],
        // Without one, the body is at most `{}`, and unparsed.
        body: inputs.body ? request.body : undefined,
      }),
    });
    if ('reply' in claim) {
      const stored = secrets.decryptReply(claim.reply, id);
      const kept = readKept(stored);
      const ids = uuidsIn(`${request.originalUrl} ${stored.toString()}`);
      await this.checks.requireRepeatable(caller, { ids, userId, keptAt: claim.keptAt }, kept.decisions);
      return repeat(kept, response);
    }
    return this.carryOut(claim, secrets, response, work);
  }

  private async carryOut(
    claim: Claim,
    secrets: CallerSecrets,
    response: Response,
    work: () => Promise<unknown>,
  ): Promise<JsonText> {
    const carried: CarriedRequest = { claim, decisions: new Map() };
    const noted = () => [...carried.decisions.values()];
    const keep = (reply: Buffer): Promise<void> =>
      this.claims.complete(
        claim,
        reply.length > IDEMPOTENCY_LIMITS.replyBytes ? null : secrets.encryptReply(reply, claim.id),
      );
    try {
      // Transactions that outlast the work are not marked.
      const reply = await carriedRequest.run(carried, work).finally(() => (carried.claim = null));
      setReplyHeaders(response, reply);
      const body = jsonTextOf(reply);
      await keep(storedSuccess(reply, body, response, noted()));
      return body;
    } catch (error) {
      const refusal = toServiceError(error);
      await (isFinal(refusal) ? keep(storedRefusal(refusal, noted())) : this.claims.release(claim));
      throw error;
    }
  }
}

interface Call {
  readonly request: Request;
  readonly inputs: EndpointInputs;
  readonly secrets: CallerSecrets;
  readonly caller: { readonly id: string };
}

/** Carries POST and PATCH out once per `Idempotency-Key`; of the class, as it runs after operations' decorators. */
export const CarriesOutOnce = (): ClassDecorator => (controller) => {
  const operations = Object.getOwnPropertyDescriptors(controller.prototype as Record<string, object>);
  for (const [name, operation] of Object.entries(operations)) {
    const handler = operation.value as object;
    const inputs = Reflect.getMetadata(ENDPOINT_INPUTS, handler) as EndpointInputs | undefined;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    const isChange = method === RequestMethod.POST || method === RequestMethod.PATCH;
    if (isChange && inputs?.idempotent) UseInterceptors(Idempotency)(controller, name, operation);
  }
};
