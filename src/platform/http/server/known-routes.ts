import type { Express } from 'express';
import { editDistance } from '../../../lib/nearest-name.js';

/** A route as the router of Express keeps it. */
interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

export interface KnownRoutes {
  /** The methods that a path accepts, in alphabetical order; none if no route has this path. */
  methodsOf(path: string): readonly string[];
  /** `GET /api/v1/recordings/{id}`: what a URL without a route probably means. */
  nearest(method: string, path: string): string | null;
}

/** Opened with a link that was given to someone, never by typing it. */
const BY_LINK = /^\/(assets|docs|join|s)\b|^\/$/;

/** Reads the routes themselves, once all are registered, so that it cannot differ from what is served. */
export function knownRoutes(app: Express): KnownRoutes {
  const { stack } = app.router as unknown as { readonly stack: readonly Layer[] };
  const layers = stack.filter(({ route }) => route !== undefined);
  const suggested = layers.map(routeOf).filter(({ path }) => path !== '' && !BY_LINK.test(path));
  return {
    methodsOf: (path) => {
      // `OPTIONS *` is about the server as a whole (RFC 9110, 9.3.7).
      const matching = path === '*' ? layers : layers.filter((layer) => layer.match(path));
      if (matching.length === 0) return [];
      const methods = new Set(matching.flatMap((layer) => routeOf(layer).methods));
      // Express answers HEAD by what GET replies; `answerUnknown` answers OPTIONS.
      if (methods.has('GET')) methods.add('HEAD');
      methods.add('OPTIONS');
      return [...methods].sort();
    },
    nearest: (method, path) => nearestRoute(suggested, method, path),
  };
}

const routeOf = ({ route }: Layer): Route => ({
  methods: Object.keys(route?.methods ?? {}).map((method) => method.toUpperCase()),
  path: typeof route?.path === 'string' ? route.path : '',
});

/** A route as Express has it, such as `GET` and `/api/v1/recordings/:id`. */
interface Route {
  readonly methods: readonly string[];
  readonly path: string;
}

/** Longer paths are not compared: the time it takes grows with their length. */
const MAX_CHARACTERS = 120;
/** Of the characters of a path, how many may differ. */
const MAX_DIFFERENT = 0.35;
/** What another method counts, in characters. */
const OTHER_METHOD = 4;

/** Shorter ones occur in many. */
const MIN_PART = 4;
/** What being part of a path counts, in characters. */
const PART = 2;

const PREFIX = /^(\/(api|v\d+))+(?=\/|$)/i;
const ID = /^(?=.*\d)[\w-]{8,}$|^\d+$|^[:{*].*/;

/**
 * Returns the route that a URL without one probably means, as `GET /api/v1/recordings/{id}`: the one whose path differs
 * in the fewest characters, leaving out ids and the prefix of the API, which is often forgotten. Null if none is near.
 */
function nearestRoute(routes: readonly Route[], method: string, path: string): string | null {
  if (path.length > MAX_CHARACTERS) return null;
  const asked = comparable(path);
  let nearest: Route | null = null;
  let least = Math.max(Math.floor(asked.length * MAX_DIFFERENT), PART) + 1;
  for (const route of routes) {
    const other = route.methods.includes(method) ? 0 : OTHER_METHOD;
    const distance = difference(asked, comparable(route.path)) + other;
    if (distance >= least) continue;
    least = distance;
    nearest = route;
  }
  if (!nearest) return null;
  const [first = ''] = nearest.methods;
  const shown = nearest.methods.includes(method) ? method : first;
  return `${shown} ${nearest.path.replace(/[:*](\w+)/g, '{$1}')}`;
}

/** In lower case, without the prefix of the API, and with `:` for each id. */
function comparable(path: string): string {
  const segments = path.replace(PREFIX, '').toLowerCase().split('/').filter(Boolean);
  return segments.map((segment) => `/${ID.test(segment) ? ':' : segment}`).join('');
}

/** A path that is part of the other, such as `/keys` of `/api-keys`, differs little. */
function difference(asked: string, path: string): number {
  const distance = editDistance(asked, path);
  return asked.length > MIN_PART && path.includes(asked.slice(1)) ? Math.min(distance, PART) : distance;
}
