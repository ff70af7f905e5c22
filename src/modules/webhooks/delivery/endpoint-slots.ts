/** Requests under way to webhooks that are known to answer. */
const FAST_SLOTS = 64;
/** Requests under way to all others: new ones, failing ones, and those that keep a request waiting. */
const OTHER_SLOTS = 64;
/** A request that takes longer no longer counts among the fast ones. */
const SLOW_MS = 2_000;
/** Nor do the next ones to its webhook for so long: otherwise, it could answer one in time for each that it keeps waiting. */
const REMEMBERED_SLOW_MS = 10 * 60_000;
/** In all, however many become slow at once. */
const MOST_REQUESTS = 256;
/** Of one webhook; begins with 1 and grows by one with each success. */
const MOST_PER_ENDPOINT = 4;
/** Webhooks remembered while nothing is sent to them. */
const MOST_REMEMBERED = 5_000;

interface Endpoint {
  readonly flights: Set<Flight>;
  limit: number;
  /** Whether its last request succeeded; null before the first one. */
  answers: boolean | null;
  /** When it last kept a request waiting. */
  slowAt: number;
}

interface Flight {
  readonly fast: boolean;
  /** Null until the request begins. */
  startedAt: number | null;
}

/** A request that has a slot. */
export interface Slot {
  /** The request begins: from now on, its receiver keeps it waiting. */
  begin(now?: number): void;
  /** It has ended; null: without having been sent. */
  end(succeeded: boolean | null, now?: number): void;
}

/** A webhook that this process knows, and how many requests to it may be started. */
export interface EndpointRoom {
  readonly id: string;
  readonly room: number;
  /** Null: not known. */
  readonly fast: boolean | null;
}

/** How many requests may be started. */
export interface SlotRoom {
  readonly fast: number;
  readonly other: number;
}

/**
 * Divides the requests of one process among webhooks. One that hangs or fails has a single request under way, and all of those
 * together half of the slots: they delay only each other. Times are those of `performance.now()`.
 */
export class EndpointSlots {
  private readonly endpoints = new Map<string, Endpoint>();

  room(now = performance.now()): SlotRoom {
    const flights = [...this.endpoints.values()].flatMap((endpoint) => [...endpoint.flights]);
    const fast = flights.filter((flight) => flight.fast && !isSlow(flight, now)).length;
    const free = Math.max(0, MOST_REQUESTS - flights.length);
    const other = Math.max(0, OTHER_SLOTS - (flights.length - fast));
    return { fast: Math.min(free, FAST_SLOTS - fast), other: Math.min(free, other) };
  }

  /** To each webhook that is not listed, one request may be started. */
  known(now = performance.now()): EndpointRoom[] {
    return [...this.endpoints].map(([id, { flights, limit, answers, slowAt }]) => {
      const hangs = [...flights].some((flight) => isSlow(flight, now));
      const slow = hangs || now - slowAt < REMEMBERED_SLOW_MS;
      return { id, room: Math.max(0, (hangs ? 1 : limit) - flights.size), fast: slow ? false : answers };
    });
  }

  /** Takes a slot for a request to a webhook. */
  take(id: string, fast: boolean): Slot {
    const endpoint = this.endpoints.get(id) ?? {
      flights: new Set(),
      limit: 1,
      answers: null,
      slowAt: -Infinity,
    };
    const flight: Flight = { startedAt: null, fast };
    endpoint.flights.add(flight);
    this.endpoints.set(id, endpoint);
    return {
      begin: (now = performance.now()) => (flight.startedAt = now),
      end: (succeeded, now = performance.now()) => {
        endpoint.flights.delete(flight);
        const slow = isSlow(flight, now);
        if (slow) endpoint.slowAt = now;
        if (succeeded !== null) {
          endpoint.answers = succeeded;
          endpoint.limit = succeeded && !slow ? Math.min(MOST_PER_ENDPOINT, endpoint.limit + 1) : 1;
        }
        this.forget();
      },
    };
  }

  private forget(): void {
    if (this.endpoints.size <= MOST_REMEMBERED) return;
    for (const [id, { flights }] of this.endpoints) if (flights.size === 0) this.endpoints.delete(id);
  }
}

const isSlow = ({ startedAt }: Flight, now: number): boolean =>
  startedAt !== null && now - startedAt > SLOW_MS;
