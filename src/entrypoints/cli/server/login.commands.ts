import { notice, print, type Output } from '../output.js';
import { ifPermitted, withSession } from './client.js';
import {
  credentialsFile,
  isInEnvironment,
  readCredentials,
  removeCredentials,
  serverUrl,
  validKey,
  writeCredentials,
} from './credentials.js';
import { readSecret } from './secret-input.js';
import { nameOf } from './whoami.command.js';

/** `login [URL]`. A key that the server refuses is not kept. */
export async function login(given: string, options: Output): Promise<void> {
  const url = serverUrl('url', given);
  const apiKey = validKey('the API key', await readSecret(`API key of ${url}: `));
  // A key without the scope `profile:read` is as good as any other.
  const me = await withSession(
    { url, apiKey },
    ({ api, signal }) => ifPermitted(api.get('/me', { signal })),
    0,
  );
  const user = me && { id: me.id, name: me.name, email: me.email };
  const file = await writeCredentials({ url, apiKey });
  const name = user ? nameOf(user) : 'a user whose name the key may not read';
  print(options, { url, user }, `Logged in to ${url} as ${name}.`);
  notice(`The key is in ${file}, readable for you only.`);
  if (isInEnvironment()) notice('MRS_URL and MRS_API_KEY in the environment take precedence.');
}

/** `logout`. The key still works: it can be revoked with `keys revoke`. */
export async function logout(options: Output): Promise<void> {
  const file = credentialsFile();
  // Also a file that cannot be read any more is removed.
  const stored = await readCredentials().catch(() => ({ url: null }));
  await removeCredentials();
  const done = stored
    ? `Removed ${file}. The key itself still works; keys revoke ends that.`
    : 'Not logged in.';
  print(options, { url: stored?.url ?? null }, done);
}
