import type { Express } from 'express';
import { nearestRoute, type Route } from './nearest-route.js';

/** A route as the router of Express keeps it. */
interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The routes that are served. */
export interface KnownRoutes {
  /** The methods that a path accepts, in alphabetical order; none if no route has this path. */
  methodsOf(path: string): readonly string[];
  /** `GET /api/v1/recordings/{id}`: what a URL without a route probably means. */
  nearest(method: string, path: string): string | null;
}

/** Opened with a link that was given to someone, never by typing it. */
const BY_LINK = /^\/(assets|docs|join|s)\b|^\/$/;

/**
 * Read from the routes themselves, so that it cannot differ from what is served. Call it once all of them are
 * registered.
 */
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
