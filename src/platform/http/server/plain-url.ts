/**
 * The URL of a request without empty path segments: `//api/v1/recordings/` is `/api/v1/recordings`. Whatever decides by
 * the URL (routes, permissions, signatures, limits, the log) sees this one alone. The slash after a single segment
 * stays, because `/docs/` has other relative URLs than `/docs`.
 */
export function plainUrl(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  // Absolute URLs, which only proxies are sent, have an empty segment that means something.
  if (!path.startsWith('/') || !(path.endsWith('/') || path.includes('//'))) return url;
  const single = path.replaceAll(/\/{2,}/g, '/');
  return single.replace(/^(\/[^/]+\/.*)\/$/, '$1') + url.slice(path.length);
}
