/** The requests of a process that may be under way. */
export interface RequestLimits {
  /** To endpoints that are known to answer. */
  readonly fast: number;
  /** To all others: new ones, failing ones, and those that keep a request waiting. */
  readonly other: number;
  /** In all, however many become slow at once. */
  readonly all: number;
}

/** A request that takes longer no longer counts among the fast ones. */
const SLOW_MS = 2_000;
/** Nor do the next ones to its endpoint during this time: it could otherwise answer one for each that hangs. */
const REMEMBERED_SLOW_MS = 10 * 60_000;

export interface UnderWay {
  readonly endpointId: string;
  readonly fast: boolean;
  /** The time since which its receiver keeps it waiting; null until the request begins. */
  startedAt: number | null;
}

/** An endpoint that requests of this process are under way to, or that is slow. */
export interface KnownEndpoint {
  readonly id: string;
  readonly requests: number;
  readonly slow: boolean;
}

/**
 * Counts the requests of one process: those to receivers that hang or fail, at most half, delay only each other. Times
 * are those of `performance.now()`.
 */
export class RequestsUnderWay {
  private readonly requests = new Set<UnderWay>();
  /** The times when endpoints last kept a request waiting. */
  private readonly slowAt = new Map<string, number>();

  constructor(private readonly limits: RequestLimits) {}

  /** The number of requests that may be started. */
  room(now = performance.now()): { readonly fast: number; readonly other: number } {
    const { size } = this.requests;
    const fast = [...this.requests].filter((request) => request.fast && !isSlow(request, now)).length;
    const free = Math.max(0, this.limits.all - size);
    const other = Math.max(0, this.limits.other - (size - fast));
    return { fast: Math.min(free, this.limits.fast - fast), other: Math.min(free, other) };
  }

  known(now = performance.now()): KnownEndpoint[] {
    const known = new Map<string, KnownEndpoint>();
    for (const [id, time] of this.slowAt) {
      if (now - time < REMEMBERED_SLOW_MS) known.set(id, { id, requests: 0, slow: true });
      else this.slowAt.delete(id);
    }
    for (const request of this.requests) {
      const { endpointId: id } = request;
      const { requests, slow } = known.get(id) ?? { requests: 0, slow: false };
      known.set(id, { id, requests: requests + 1, slow: slow || isSlow(request, now) });
    }
    return [...known.values()];
  }

  /** What is known, as columns for `tableOf`. */
  knownColumns() {
    const known = this.known();
    return [
      ['id', 'uuid', known.map(({ id }) => id)],
      ['requests', 'int', known.map(({ requests }) => requests)],
      ['slow', 'boolean', known.map(({ slow }) => slow)],
    ] as const;
  }

  add(endpointId: string, fast: boolean): UnderWay {
    const request = { endpointId, fast, startedAt: null };
    this.requests.add(request);
    return request;
  }

  end(request: UnderWay, now = performance.now()): void {
    this.requests.delete(request);
    if (isSlow(request, now)) this.slowAt.set(request.endpointId, now);
  }
}

const isSlow = ({ startedAt }: UnderWay, now: number): boolean =>
  startedAt !== null && now - startedAt > SLOW_MS;
