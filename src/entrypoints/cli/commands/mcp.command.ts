import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { KeyScopes } from '../../../contract/scopes.js';
import { projectVersion } from '../../../lib/project-root.js';
import { z } from '../../../lib/zod.js';
import { ApiError, MeetingsApi, type SendRequest } from '../../../modules/mcp/server/meetings-api.js';
import { createMeetingsServer } from '../../../modules/mcp/server/meetings-server.js';
import { clientStdio } from '../../../modules/mcp/server/stdio.js';
import { refused, unreachable } from '../exit-status.js';
import { requireServer } from '../server/credentials.js';

const ME = z.object({ data: z.object({ api_key: z.object({ scopes: z.array(z.string()).nullable() }) }) });

/** Serves until standard input ends. Fails at once if the service does not answer or refuses the API key. */
export async function serveModels(options: { url?: string }): Promise<void> {
  const { url, apiKey } = await requireServer(options.url);
  const version = projectVersion();
  const send = sender(url, apiKey, `mrs/${version}`);
  const api = new MeetingsApi(send, await scopesOf(new MeetingsApi(send, null), url));
  serveStdio(() => createMeetingsServer({ api, report }, version, null), {
    maxSubscriptions: 0,
    transport: clientStdio(),
  });
}

function report(error: unknown): void {
  process.stderr.write(`error: ${String(error)}\n`);
}

/** A key without `profile:read` does not say what it may do: the service does, with each call. */
async function scopesOf(api: MeetingsApi, url: string): Promise<KeyScopes> {
  try {
    const { data } = ME.parse(await api.get('/me'));
    return data.api_key.scopes as KeyScopes;
  } catch (error) {
    if (!(error instanceof ApiError)) throw unreachable(`${url} does not answer as the service does.`);
    if (error.code === 'SERVICE_UNAVAILABLE') throw unreachable(error.message);
    if (error.code === 'FORBIDDEN') return null;
    throw refused(error.message);
  }
}

const sender =
  (base: string, key: string, name: string): SendRequest =>
  async ({ method, path, body, client, signal }) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'user-agent': client ?? name,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    try {
      return await fetch(`${base}/api/v1${path}`, {
        method,
        headers,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      if (signal?.aborted || !(error instanceof TypeError)) throw error;
      throw new ApiError('SERVICE_UNAVAILABLE', `${base} cannot be reached.`, 10);
    }
  };
