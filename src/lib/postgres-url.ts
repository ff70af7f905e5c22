const SESSION_TARGETS = ['any', 'read-write', 'primary', 'standby'] as const;

/** What `target_session_attrs` takes: what the server must be. */
export type SessionTarget = (typeof SESSION_TARGETS)[number];

const PARTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** A URL for each host of a URL as libpq takes it: `postgres://user:password@a:5432,b:5432/meetings`. */
export function hostUrls(url: string): string[] {
  const [, before = '', hosts = url, after = ''] = PARTS.exec(url) ?? [];
  return hosts.split(',').map((host) => before + host + after);
}

/** The hosts of a URL with their ports, for messages. */
export const hostNames = (url: string): string[] =>
  hostUrls(url).map((one) => {
    const { hostname, port } = new URL(one);
    return `${hostname}:${port || 5432}`;
  });

/** What `target_session_attrs` says; if nothing, the host of several that takes writes, or the only one as it is. */
export function sessionTarget(url: string): SessionTarget {
  const [first = url, ...more] = hostUrls(url);
  const given = new URL(first).searchParams.get('target_session_attrs');
  return (given as SessionTarget | null) ?? (more.length > 0 ? 'read-write' : 'any');
}

const isUrl = (text: string): boolean =>
  URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);

/** What is wrong with a URL of PostgreSQL, which is not repeated, as it contains a password; null if nothing is. */
export function mistakeInPostgresUrl(url: string): string | null {
  if (/#|%(?![\da-f]{2})/i.test(url)) return 'must have # and % in a password encoded, as %23 and %25';
  const urls = hostUrls(url);
  if (!urls.every(isUrl)) return 'must be a URL that starts with postgres:// or postgresql://';
  if (urls.length > 1 && !urls.every((one) => new URL(one).hostname))
    return 'must have a host before and after each comma between hosts';
  const target = sessionTarget(url);
  if (SESSION_TARGETS.includes(target)) return null;
  return `target_session_attrs must be ${SESSION_TARGETS.join(', ')}, not ${target}`;
}
