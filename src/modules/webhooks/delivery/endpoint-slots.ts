/** Requests under way to webhooks that are known to answer. */
const FAST_SLOTS = 64;
/** Requests under way to all others: new ones, failing ones, and those that keep a request waiting. */
const OTHER_SLOTS = 64;
/** A request that takes longer no longer counts among the fast ones. */
const SLOW_MS = 2_000;
/**
 * Nor do the next ones to its webhook for so long: otherwise, it could answer one in time for each that it keeps
 * waiting.
 */
const REMEMBERED_SLOW_MS = 10 * 60_000;
/** Requests under way in all, however many become slow at once. */
const MAX_REQUESTS = 256;

interface Endpoint {
  readonly flights: Set<Flight>;
  /** The time when it last kept a request waiting. */
  slowAt: number;
}

interface Flight {
  readonly fast: boolean;
  /** Null until the request begins. */
  startedAt: number | null;
}

export interface Slot {
  /** The request begins: from now on, its receiver keeps it waiting. */
  begin(now?: number): void;
  end(now?: number): void;
}

/** A webhook that requests of this process are under way to, or that is slow. */
export interface KnownEndpoint {
  readonly id: string;
  readonly requests: number;
  readonly slow: boolean;
}

/** The number of requests that may be started. */
export interface SlotRoom {
  readonly fast: number;
  readonly other: number;
}

/**
 * Divides the requests of one process among webhooks. Those to receivers that hang or fail take half of the slots
 * together: they delay only each other. Times are those of `performance.now()`.
 */
export class EndpointSlots {
  private readonly endpoints = new Map<string, Endpoint>();

  room(now = performance.now()): SlotRoom {
    const flights = [...this.endpoints.values()].flatMap((endpoint) => [...endpoint.flights]);
    const fast = flights.filter((flight) => flight.fast && !isSlow(flight, now)).length;
    const free = Math.max(0, MAX_REQUESTS - flights.length);
    const other = Math.max(0, OTHER_SLOTS - (flights.length - fast));
    return { fast: Math.min(free, FAST_SLOTS - fast), other: Math.min(free, other) };
  }

  known(now = performance.now()): KnownEndpoint[] {
    return [...this.endpoints].flatMap(([id, { flights, slowAt }]) => {
      const slow = now - slowAt < REMEMBERED_SLOW_MS || [...flights].some((flight) => isSlow(flight, now));
      if (slow || flights.size > 0) return [{ id, requests: flights.size, slow }];
      this.endpoints.delete(id);
      return [];
    });
  }

  /** Takes a slot for a request to a webhook. */
  take(id: string, fast: boolean): Slot {
    const endpoint = this.endpoints.get(id) ?? { flights: new Set(), slowAt: -Infinity };
    const flight: Flight = { startedAt: null, fast };
    endpoint.flights.add(flight);
    this.endpoints.set(id, endpoint);
    return {
      begin: (now = performance.now()) => (flight.startedAt = now),
      end: (now = performance.now()) => {
        endpoint.flights.delete(flight);
        if (isSlow(flight, now)) endpoint.slowAt = now;
      },
    };
  }
}

const isSlow = ({ startedAt }: Flight, now: number): boolean =>
  startedAt !== null && now - startedAt > SLOW_MS;
