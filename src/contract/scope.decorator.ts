import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiSchema, ApiSecurity, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { JsonText } from '../platform/http/replies/json-text.js';
import { hasScope, SCOPES, type KeyScopes, type Scope } from './scopes.js';

export const REQUIRED_SCOPES = Symbol('REQUIRED_SCOPES');

/** What an operation requires of an API key: a scope, or several that it needs together. */
export type RequiredScopes = Scope | readonly [Scope, ...Scope[]];

export const scopesOf = (required: RequiredScopes): readonly Scope[] =>
  typeof required === 'string' ? [required] : required;

/** Sets the scopes that the guard requires of the API key, and documents them. */
export const RequiresScopes = (required: RequiredScopes): MethodDecorator =>
  applyDecorators(
    SetMetadata(REQUIRED_SCOPES, scopesOf(required)),
    ApiSecurity('bearer', [...scopesOf(required)]),
  );

/** Lets every valid API key pass: what is done needs scopes of its own. */
export const AnyScope = (): MethodDecorator => SetMetadata(REQUIRED_SCOPES, []);

/** Names the scopes, to follow the description of an operation. */
export function describeScopes(required: RequiredScopes): string {
  const names = scopesOf(required).map((name) => `\`${name}\``);
  return `Scope${names.length > 1 ? 's' : ''} of the API key: ${names.join(', ')}.`;
}

export const SCOPE_LIST = Object.entries(SCOPES)
  .map(([name, permits]) => `- \`${name}\`: ${permits}`)
  .join('\n');

/** Set by `@Endpoint` of an operation whose reply shows more than what the request sent. */
export const SHOWS = Symbol('SHOWS');

export interface Shows {
  /** Without it, an API key may change what the reply shows, but not read it. */
  readonly scope: Scope;
  /** The fields of `data` that it gets all the same. */
  readonly always: readonly string[];
  /** The name of the schema of `data`. */
  readonly as: string;
}

type CallersRequest = Request & { readonly caller?: { readonly apiKey: { readonly scopes: KeyScopes } } };

/** Leaves out of a reply, also of one that is repeated, what the API key of the request must not read. */
@Injectable()
export class ShownByScope implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { scope, always } = this.reflector.get<Shows>(SHOWS, context.getHandler());
    const { caller } = context.switchToHttp().getRequest<CallersRequest>();
    if (!caller || hasScope(caller.apiKey.scopes, scope)) return next.handle();
    return next.handle().pipe(
      map((body: unknown) => {
        const whole = body instanceof JsonText ? JSON.parse(body.toBytes().toString()) : body;
        const { data, ...others } = whole as { readonly data: Readonly<Record<string, unknown>> };
        const shown = Object.entries(data).filter(([name]) => always.includes(name));
        return { data: Object.fromEntries(shown), ...others };
      }),
    );
  }
}

/** The type of such a reply: only the fields that are always shown are required. */
export function shownByScope(type: Type, { always, as: name }: Shows): Type {
  const fields = always as readonly never[];
  class Shown extends IntersectionType(PickType(type, fields), PartialType(OmitType(type, fields))) {}
  ApiSchema({ name })(Shown);
  return Shown;
}
