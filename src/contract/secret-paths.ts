/** What stands before a token in a path. */
const BEFORE_TOKENS = /\/(s|shares|hls)\//i;

/** A path as the log may hold it: without the token of a share link and the signature of a playlist. */
export function maskPath(path: string): string {
  if (!BEFORE_TOKENS.test(path)) return path;
  return path
    .replace(/\/(s|shares)\/+[^/]+/gi, '/$1/:token')
    .replace(/(\/media\/[^/]*\/hls)\/[^/]*/gi, '$1/:token');
}
