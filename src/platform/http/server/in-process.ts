import { request, type IncomingMessage, type Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

/** What a request within the process consists of. */
export interface InProcessRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

const PEERS = new WeakSet<Duplex>();

/** Whether a request was sent by `sendInProcess`. */
export const isInProcess = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => PEERS.has(socket);

/** Sends a request to the HTTP server of this process over a pair of streams. `address`: its IP address. */
export async function sendInProcess(
  server: Server,
  address: string,
  { method, path, headers, body, signal }: InProcessRequest,
): Promise<Response> {
  const [client, peer] = duplexPair();
  closeTogether(client, peer);
  PEERS.add(peer);
  server.emit('connection', Object.assign(peer, { remoteAddress: address }));
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      createConnection: () => client,
      method,
      path,
      headers: { host: 'localhost', ...headers },
      signal,
    })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
  const received = await text(reply);
  const { 'content-type': type = '', 'retry-after': retryAfter = '' } = reply.headers;
  return new Response(received === '' ? null : received, {
    status: reply.statusCode,
    headers: { 'content-type': type, ...(retryAfter && { 'retry-after': retryAfter }) },
  });
}

/** Unlike the ends of a socket, those of a pair do not notice when the other is destroyed. */
function closeTogether(client: Duplex, peer: Duplex): void {
  client.once('close', () => peer.destroy());
  peer.once('close', () => {
    if (!peer.writableFinished) client.destroy(new Error('the connection was closed without a reply'));
  });
}
