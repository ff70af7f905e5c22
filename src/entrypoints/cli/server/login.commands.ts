import { singleLine } from '../../../lib/text.js';
import { fieldLines, notice, print, type Output } from '../output.js';
import { ifPermitted, withSession, type Session } from './client.js';
import { connect, disconnect } from './connection.js';
import {
  credentialsFile,
  isInEnvironment,
  readCredentials,
  removeCredentials,
  requireServer,
  serverUrl,
  validKey,
  whileLocked,
  writeCredentials,
} from './credentials.js';
import { readApiKey } from '../prompts.js';
import { LIMITS } from '../../../contract/limits.js';

/**
 * `login [URL]`: on a terminal, for the user who approves it in a browser, unless it asks for a key; else with the key of
 * standard input. A key that the server refuses is not kept.
 */
export async function login(given: string, options: Output & { withKey?: boolean }): Promise<void> {
  const url = serverUrl('url', given);
  const secret = process.stdin.isTTY && !options.withKey ? { tokens: await connect(url) } : await keyOf(url);
  const apiKey = 'apiKey' in secret ? secret.apiKey : secret.tokens.accessToken;
  // A key works without the scope `profile:read`, too.
  const me = await withSession(
    { url, apiKey },
    ({ api, signal }) => ifPermitted(api.get('/me', { signal })),
    0,
  );
  const user = me && { id: me.id, name: me.name, email: me.email };
  const before = await readCredentials().catch(() => null);
  const file = await whileLocked(() => writeCredentials({ url, ...secret }));
  const name = user ? nameOf(user) : 'a user whose name it may not read';
  print(options, { url, user }, `Logged in to ${url} as ${name}.`);
  notice(`The ${'apiKey' in secret ? 'key is' : 'tokens are'} in ${file}, readable for you only.`);
  if (isInEnvironment()) notice('MRS_URL and MRS_API_KEY in the environment take precedence.');
  if (before && 'tokens' in before) await disconnect(before);
}

const keyOf = async (url: string): Promise<{ readonly apiKey: string }> => ({
  apiKey: validKey('the API key', await readApiKey(`API key of ${url}: `)),
});

/** `logout` ends a connection. A key still works: it can be revoked with `keys revoke`. */
export async function logout(options: Output): Promise<void> {
  const file = credentialsFile();
  // Also a file that cannot be read any more is removed.
  const stored = await readCredentials().catch(() => ({ url: null, apiKey: null }));
  if (!stored) return print(options, { url: null }, 'Not logged in.');
  await whileLocked(removeCredentials);
  if ('tokens' in stored) await disconnect(stored);
  const kept = 'apiKey' in stored ? ' The key itself still works; keys revoke ends that.' : '';
  print(options, { url: stored.url }, `Removed ${file}.${kept}`);
}

/** `whoami`: which server, as whom, and with which key. A key need not be allowed to say all of it. */
export async function showWhoIAm(options: Output): Promise<void> {
  const credentials = await requireServer();
  await withSession(credentials, async (session) => {
    const me = await ifPermitted(session.api.get('/me', { signal: session.signal }));
    const organizations = await ifPermitted(organizationsOf(session));
    const user = me && { id: me.id, name: me.name, email: me.email, kind: me.kind };
    // Null only in a browser's session.
    const own = me?.api_key ?? null;
    const key = own ?? {
      prefix: 'apiKey' in credentials ? credentials.apiKey.slice(0, LIMITS.apiKeyPrefix) : 'oauth',
    };
    const names = organizations?.map(({ name, role }) => `${singleLine(name)} (${role})`);
    const fields: [name: string, value: string][] = [
      ['server', session.url],
      ['user', user ? `${nameOf(user)} ${user.id}` : 'unknown: the key lacks the scope profile:read'],
      ['organizations', names ? names.join(', ') || '-' : 'unknown: the key lacks organizations:read'],
      ['key', singleLine(own ? `${own.prefix} ${own.name}` : key.prefix)],
    ];
    if (own) fields.push(['scopes', own.scopes?.join(', ') ?? 'full']);
    if (own) fields.push(['expires', singleLine(own.expires_at ?? 'never')]);
    print(options, { url: session.url, user, organizations, api_key: key }, fieldLines(fields));
  });
}

const nameOf = ({ name, email }: { readonly name: string; readonly email: string }): string =>
  `${singleLine(name)} <${singleLine(email)}>`;

async function organizationsOf({ api, signal }: Session) {
  const found: { id: string; name: string; role: string }[] = [];
  for await (const { id, name, role } of api.list('/organizations', { signal }))
    found.push({ id, name, role });
  return found;
}
