import { sendError, sendJson, type Behaviour } from './openai-server.js';

/** The usual reply, delayed. */
export function late(milliseconds: number): Behaviour {
  return async (response, usual) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    sendJson(response, 200, usual);
  };
}

/** An error as defined by the API. */
export function failing(
  status: number,
  message: string,
  options: { code?: string; headers?: object } = {},
): Behaviour {
  return (response) => sendError(response, status, message, options);
}

export function tooManyRequests(retryAfter: string): Behaviour {
  return failing(429, 'Rate limit reached', { headers: { 'retry-after': retryAfter } });
}

/** Any JSON instead of the usual reply. */
export function answering(body: unknown): Behaviour {
  return (response) => sendJson(response, 200, body);
}

/** Anything at all. */
export function raw(body: string | Buffer, type = 'application/json', status = 200): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
}

export function redirecting(location: string): Behaviour {
  return (response) => {
    response.writeHead(307, { location });
    response.end();
  };
}

/** The connection is closed in the middle of the usual reply. */
export const cutOff: Behaviour = (response, usual) => {
  const text = JSON.stringify(usual);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

/** The usual reply, one byte in ten milliseconds. */
export const dripping: Behaviour = async (response, usual) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (const byte of Buffer.from(JSON.stringify(usual))) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  response.end();
};

/** Sends `text`, and then a blank every ten milliseconds, without an end. */
export function blanksForever(text: string): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(text);
    while (!response.destroyed) {
      response.write(' ');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
}

/** Never replies. */
export const silent: Behaviour = () => undefined;

/** The usual reply, once released. */
export function held(): { readonly behaviour: Behaviour; readonly release: () => void } {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const behaviour: Behaviour = async (response, usual) => {
    await released;
    sendJson(response, 200, usual);
  };
  return { behaviour, release };
}

/** Endless JSON. */
export const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"text":"');
  const more = () => {
    while (!response.destroyed && response.write('a'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};
