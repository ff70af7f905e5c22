import type { Express } from 'express';

/** A route as the router of Express keeps it. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Returns the methods that a path accepts, in alphabetical order; none if no route has this path. */
export type KnownMethods = (path: string) => readonly string[];

/**
 * Read from the routes themselves, so that it cannot differ from what is served. Call it once all of them are
 * registered.
 */
export function knownMethods(app: Express): KnownMethods {
  const { stack } = app.router as unknown as { readonly stack: readonly Layer[] };
  const layers = stack.filter(({ route }) => route !== undefined);
  return (path) => {
    // `OPTIONS *` is about the server as a whole (RFC 9110, 9.3.7).
    const matching = path === '*' ? layers : layers.filter((layer) => layer.match(path));
    if (matching.length === 0) return [];
    const methods = new Set(matching.flatMap(({ route }) => Object.keys(route?.methods ?? {})));
    // Express answers HEAD by what GET replies; `answerUnknown` answers OPTIONS.
    if (methods.has('get')) methods.add('head');
    methods.add('options');
    return [...methods].map((method) => method.toUpperCase()).sort();
  };
}
