import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { KeyScopes } from '../../../contract/scopes.js';
import { projectVersion } from '../../../lib/project-root.js';
import { ApiError, MeetingsApi, type SendRequest } from '../../../modules/mcp/server/meetings-api.js';
import { createMeetingsServer } from '../../../modules/mcp/server/meetings-server.js';
import { clientStdio } from '../../../modules/mcp/server/stdio.js';
import { ifPermitted, withSession } from './client.js';
import { sender } from './connection.js';
import { requireServer, type Credentials } from './credentials.js';

/** Serves until standard input ends. Fails at once if the service does not answer or refuses the API key. */
export async function serveModels(options: { url?: string }): Promise<void> {
  const credentials = await requireServer(options.url);
  // A key without `profile:read` does not say what it may do: the service does, with each call.
  const me = await withSession(credentials, ({ api, signal }) => ifPermitted(api.get('/me', { signal })), 0);
  const version = projectVersion();
  const send = requestsTo(credentials, `mrs/${version}`);
  const api = new MeetingsApi(send, (me?.api_key?.scopes ?? null) as KeyScopes);
  serveStdio(() => createMeetingsServer({ api, report }, version, null), {
    maxSubscriptions: 0,
    transport: clientStdio(),
  });
}

function report(error: unknown): void {
  process.stderr.write(`error: ${String(error)}\n`);
}

function requestsTo(credentials: Credentials, name: string): SendRequest {
  const send = sender(credentials);
  const { url } = credentials;
  return async ({ method, path, body, client, signal }) => {
    const headers = {
      'user-agent': client ?? name,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const init = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
    try {
      return await send(new Request(`${url}/api/v1${path}`, init));
    } catch (error) {
      if (signal?.aborted || !(error instanceof TypeError)) throw error;
      throw new ApiError('SERVICE_UNAVAILABLE', `${url} cannot be reached.`, 10);
    }
  };
}
