import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { measureProcess } from './process-metrics.js';
import { Scrape, type MetricSource } from './scrape.js';

/** A scraper or two, and a person. */
const MAX_CONNECTIONS = 20;
const TIMEOUT_MS = 10_000;

/** Answers `GET /metrics` for all `sources`; returns how to stop. Throws the error of the system if it cannot listen. */
export async function listenForScrapes(
  { host, port, token }: { readonly host: string; readonly port: number; readonly token: string | null },
  sources: () => readonly MetricSource[],
  onError: (error: unknown) => void,
): Promise<{ readonly port: number; close(): void }> {
  if (sources().some(({ child }) => child === null)) measureProcess();
  const scrape = new Scrape(sources);
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS },
    (request, response) =>
      void answer(scrape, token, request, response).catch((error: unknown) => {
        onError(error);
        end(response, 500, 'Metrics could not be read; the log says why.');
      }),
  );
  server.maxConnections = MAX_CONNECTIONS;
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  scrape: Scrape,
  token: string | null,
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (token !== null && !isToken(headers.authorization, token)) {
    response.setHeader('www-authenticate', 'Bearer realm="metrics"');
    return end(response, 401, 'Send METRICS_TOKEN in the header "Authorization: Bearer <METRICS_TOKEN>".');
  }
  if (url.split('?')[0] !== '/metrics') return end(response, 404, 'Metrics are at /metrics.');
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return end(response, 405, 'Metrics are read with GET.');
  }
  const text = await scrape.text();
  end(response, 200, text, Registry.PROMETHEUS_CONTENT_TYPE);
}

/** Compares hashes, whose bytes say nothing of those of the token, however long a comparison takes. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}

function end(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
