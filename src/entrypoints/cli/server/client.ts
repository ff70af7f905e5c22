import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  InvalidReplyError,
  MeetingRecordings,
  RecordingFailedError,
  TimeoutError,
} from 'meeting-recording-client';
import { CALLED } from '../command-texts.js';
import { CommandError, failed, statusOfReply, unreachable } from '../exit-status.js';
import { interruptible } from '../progress.js';
import { sender } from './connection.js';
import { requireServer, type Credentials } from './credentials.js';

/** What a command on a server works with. */
export interface Session {
  readonly api: MeetingRecordings;
  readonly url: string;
  /** Aborts with Ctrl-C, and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Runs a command on the server of the environment, or of `mrs login`. */
export const onServer = async (work: (session: Session) => Promise<void>): Promise<void> =>
  withSession(await requireServer(), work);

/** Its errors say what a user can do about them, and have the exit statuses of the documentation. */
export async function withSession<Result>(
  credentials: Credentials,
  work: (session: Session) => Promise<Result>,
  retries?: number,
): Promise<Result> {
  const { url } = credentials;
  const interrupted = failed('Interrupted. What the server has begun goes on there.');
  try {
    const api = new MeetingRecordings({ baseUrl: url, apiKey: null, retries, fetch: sender(credentials) });
    return await interruptible((signal) => work({ api, url, signal }), interrupted);
  } catch (error) {
    throw explained(error, url);
  }
}

/** Null if the key lacks the scope for it. */
export async function ifPermitted<Result>(reply: Promise<Result>): Promise<Result | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ForbiddenError) return null;
    throw error;
  }
}

function explained(error: unknown, url: string): unknown {
  if (error instanceof InvalidReplyError)
    return unreachable(`${url} does not answer as the service does. ${error.message}.`);
  // Tokens could not be renewed.
  if (error instanceof ConnectionError && error.cause instanceof CommandError) return error.cause;
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return unreachable(`${url} cannot be reached. ${error.message}`);
  if (error instanceof RecordingFailedError) return failed(error.message);
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'SERVICE_UNAVAILABLE') return unreachable(`${url}: ${error.message}`);
  const hint = error.status === 401 ? ` Log in again: ${CALLED} login ${url}` : '';
  return new CommandError(statusOfReply(error), `${error.message}${hint}`);
}
