import { singleLine } from '../../../lib/text.js';
import { fieldLines, print, type Output } from '../output.js';
import { ifPermitted, withSession, type Session } from './client.js';
import { requireServer } from './credentials.js';

/** Characters of a key that may be shown. */
const PREFIX_LENGTH = 12;

/** `whoami`: which server, as whom, and with which key. A key need not be allowed to say all of it. */
export async function showWhoIAm(options: Output): Promise<void> {
  const credentials = await requireServer();
  await withSession(credentials, async (session) => {
    const me = await ifPermitted(session.api.get('/me', { signal: session.signal }));
    const organizations = await ifPermitted(organizationsOf(session));
    const user = me && { id: me.id, name: me.name, email: me.email, kind: me.kind };
    const key = me?.api_key ?? { prefix: credentials.apiKey.slice(0, PREFIX_LENGTH) };
    const names = organizations?.map(({ name, role }) => `${singleLine(name)} (${role})`);
    const fields: [name: string, value: string][] = [
      ['server', session.url],
      ['user', user ? `${nameOf(user)} ${user.id}` : 'unknown: the key lacks the scope profile:read'],
      ['organizations', names ? names.join(', ') || '-' : 'unknown: the key lacks organizations:read'],
      ['key', singleLine(me ? `${key.prefix} ${me.api_key.name}` : key.prefix)],
    ];
    if (me) fields.push(['scopes', me.api_key.scopes?.join(', ') ?? 'full']);
    if (me) fields.push(['expires', singleLine(me.api_key.expires_at ?? 'never')]);
    print(options, { url: session.url, user, organizations, api_key: key }, fieldLines(fields));
  });
}

export const nameOf = ({ name, email }: { readonly name: string; readonly email: string }): string =>
  `${singleLine(name)} <${singleLine(email)}>`;

async function organizationsOf({ api, signal }: Session) {
  const found: { id: string; name: string; role: string }[] = [];
  for await (const { id, name, role } of api.list('/organizations', { signal }))
    found.push({ id, name, role });
  return found;
}
