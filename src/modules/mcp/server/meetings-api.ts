import type { Schemas } from 'meeting-recording-client';
import { hasScope, type KeyScopes, type Scope } from '../../../contract/scopes.js';
import { z } from '../../../lib/zod.js';

/** A request to the API; `path` begins after `/api/v1`. */
interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
  /** Name and version of the program that the request is made for. */
  readonly client: string | null;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request with the API key of the caller: within the process, or to a server. */
export type SendRequest = (request: ApiRequest) => Promise<Response>;

/** What the API answers to a request that it refuses. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Seconds; null if the reply does not say when to try again. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** A reply as the API document describes it: a resource, or a page of a list. */
export interface Reply<Name extends keyof Schemas> {
  readonly data: Schemas[Name];
}
export interface Page<Name extends keyof Schemas, Pagination extends keyof Schemas = 'CursorPagination'> {
  readonly data: Schemas[Name][];
  readonly pagination: Schemas[Pagination];
}

/** `undefined` is left out. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

const REFUSED = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/**
 * The HTTP API as tools call it. All that a tool does are requests of its caller, so that access, limits, validation and
 * the audit log are those of the API.
 */
export class MeetingsApi {
  constructor(
    private readonly send: SendRequest,
    /** Those of the API key; null: not limited. */
    private readonly scopes: KeyScopes,
    private readonly client: string | null = null,
    private readonly signal?: AbortSignal,
  ) {}

  /** The API for one call of a tool. */
  for(client: string | null, signal: AbortSignal): MeetingsApi {
    return new MeetingsApi(this.send, this.scopes, client, signal);
  }

  permits(scope: Scope): boolean {
    return hasScope(this.scopes, scope);
  }

  get<Replied>(path: string, query: Query = {}): Promise<Replied> {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
    return this.call({ method: 'GET', path: path + search });
  }

  post<Replied>(path: string, body: object): Promise<Replied> {
    return this.call({ method: 'POST', path, body });
  }

  patch<Replied>(path: string, body: object): Promise<Replied> {
    return this.call({ method: 'PATCH', path, body });
  }

  /** Throws an `ApiError` unless the reply is a success. */
  private async call<Replied>(request: Pick<ApiRequest, 'method' | 'path' | 'body'>): Promise<Replied> {
    const response = await this.send({ ...request, client: this.client, signal: this.signal });
    const body: unknown = await response.json();
    if (response.ok) return body as Replied;
    const { error } = REFUSED.parse(body);
    const retryAfter = Number(response.headers.get('retry-after'));
    throw new ApiError(error.code, error.message, retryAfter > 0 ? retryAfter : null);
  }
}
