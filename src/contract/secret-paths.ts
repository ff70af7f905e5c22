/** Path segments that precede a token. */
const BEFORE_TOKENS = /\/(s|shares|hls|join|link)\//i;

/** A path safe to log, without share link tokens and playlist signatures. */
export function maskPath(path: string): string {
  if (!BEFORE_TOKENS.test(path)) return path;
  return path
    .replace(/\/(s|shares|join|sign-in\/+link)\/+[^/]+/gi, '/$1/:token')
    .replace(/(\/media\/[^/]*\/hls)\/[^/]*/gi, '$1/:token');
}
