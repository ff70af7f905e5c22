import { editDistance } from '../../../lib/nearest-name.js';

/** A route as Express has it, such as `GET` and `/api/v1/recordings/:id`. */
export interface Route {
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
export function nearestRoute(routes: readonly Route[], method: string, path: string): string | null {
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
