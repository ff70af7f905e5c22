import type { TokenEndpointResponse } from 'openid-client';
import { CLIENT_SCOPES } from '../../../contract/scopes.js';
import { SECOND_MS } from '../../../lib/durations.js';
import { singleLine } from '../../../lib/text.js';
import { CALLED } from '../command-texts.js';
import { CommandError, failed, refused, unreachable, usageError } from '../exit-status.js';
import { openInBrowser } from './browser.js';
import {
  readCredentials,
  whileLocked,
  writeCredentials,
  type Credentials,
  type Tokens,
} from './credentials.js';

/** The client of the command line, which every server knows. */
const CLIENT_ID = 'mrs';
const SCOPE = [...CLIENT_SCOPES, 'offline_access'].join(' ');
const METADATA = '/.well-known/oauth-authorization-server';
/** Of each request. Two are made while others wait. */
const TIMEOUT_S = 10;
/** Access tokens are renewed so much earlier, as requests and clocks take time. */
const MARGIN_MS = 30 * SECOND_MS;

type Connected = Credentials & { readonly tokens: Tokens };

/** Connects the command line to a server for the user who approves that in a browser, and returns the tokens. */
export async function connect(url: string): Promise<Tokens> {
  let expiry = Infinity;
  try {
    const { client, config } = await discover(url);
    const request = { scope: SCOPE, resource: resourceOf(url) };
    const device = await client.initiateDeviceAuthorization(config, request);
    expiry = Date.now() + device.expires_in * SECOND_MS;
    const address = singleLine(device.verification_uri_complete ?? device.verification_uri);
    // Also with --quiet: without it, nobody can approve.
    process.stderr.write(
      `To log in, open ${address}\nand check that the code is ${singleLine(device.user_code)}\n`,
    );
    if (process.stderr.isTTY && /^https?:/.test(address)) openInBrowser(address);
    return tokensOf(await client.pollDeviceAuthorizationGrant(config, device));
  } catch (error) {
    if (Date.now() >= expiry)
      throw refused(`Not logged in: the code has expired. Log in again: ${CALLED} login ${url}`);
    throw explained(error as FlowError, url);
  }
}

function send(request: Request, bearer: string): Promise<Response> {
  request.headers.set('authorization', `Bearer ${bearer}`);
  return fetch(request);
}

/** Returns what sends requests with the key, or with an access token, which it renews. */
export function sender(credentials: Credentials): (request: Request) => Promise<Response> {
  if ('apiKey' in credentials) return (request) => send(request, credentials.apiKey);
  let current: Connected = credentials;
  return async (request) => {
    if (current.tokens.expiresAt < Date.now() + MARGIN_MS) current = await renew(current);
    const used = current.tokens;
    const again = request.clone();
    const reply = await send(request, used.accessToken);
    if (reply.status !== 401) return reply;
    current = await renew(current);
    if (current.tokens === used) return reply;
    await reply.body?.cancel();
    return send(again, current.tokens.accessToken);
  };
}

/** Ends a connection. */
export async function disconnect({ url, tokens }: Connected): Promise<void> {
  try {
    const { client, config } = await discover(url);
    await client.tokenRevocation(config, tokens.refreshToken);
  } catch (error) {
    const why = singleLine((error as Error).message);
    throw unreachable(`The connection to ${url} could not be ended (${why}): do that at ${url}/account.`);
  }
}

/** Returns what is stored meanwhile, or new tokens; the same if the connection has ended, which the server then says. */
const renew = (current: Connected): Promise<Connected> =>
  whileLocked(async () => {
    const { url, tokens } = current;
    const stored = await readCredentials();
    if (stored?.url !== url || 'apiKey' in stored) return current;
    if (stored.tokens.accessToken !== tokens.accessToken) return stored;
    const { client, config } = await discover(url);
    try {
      const resource = resourceOf(url);
      const fresh = {
        url,
        tokens: tokensOf(await client.refreshTokenGrant(config, tokens.refreshToken, { resource })),
      };
      await writeCredentials(fresh);
      return fresh;
    } catch (error) {
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return current;
      throw error;
    }
  });

async function discover(url: string) {
  const client = await import('openid-client');
  const options = { execute: [client.allowInsecureRequests], timeout: TIMEOUT_S };
  const config = await client.discovery(
    new URL(url + METADATA),
    CLIENT_ID,
    undefined,
    client.None(),
    options,
  );
  const { issuer } = config.serverMetadata();
  if (issuer === url) return { client, config };
  throw usageError(
    `url: this server is ${singleLine(issuer)}; log in to that, or with an API key: --with-key`,
  );
}

const resourceOf = (url: string): string => `${url}/api/v1`;

function tokensOf({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_in: seconds,
}: TokenEndpointResponse): Tokens {
  if (refreshToken === undefined || seconds === undefined) throw failed('The server sent no refresh token.');
  return { accessToken, refreshToken, expiresAt: Date.now() + seconds * SECOND_MS };
}

/** Of `openid-client`: `error` is what the server replied. */
type FlowError = Error & { readonly code?: string; readonly error?: string };

function explained(error: FlowError, url: string): Error {
  if (error instanceof CommandError) return error;
  if (error.error === 'access_denied') return refused('Not logged in: it was refused in the browser.');
  if (error instanceof TypeError || error.code === 'OAUTH_TIMEOUT')
    return unreachable(`${url} cannot be reached.`);
  const why = singleLine(error.message);
  return unreachable(
    `${url} connects no programs (${why}). With an API key: ${CALLED} login ${url} --with-key`,
  );
}
