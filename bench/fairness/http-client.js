import { Agent, request } from 'node:http';

/** Sends requests over keep-alive connections, with the API key of one user or none. */
export class HttpClient {
  /** `timeout`: milliseconds after which a request is abandoned. */
  constructor({ base, key, connections, timeout }) {
    this.base = base;
    this.key = key;
    this.timeout = timeout;
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /**
   * `{ status, headers, body, ms }`; never throws. `status` is null when there was no complete reply in time. The body is
   * only kept with `keep`.
   */
  send(method, path, { headers = {}, body, anonymous = false, keep = false } = {}) {
    const started = performance.now();
    return new Promise((resolve) => {
      const finish = (reply) => {
        clearTimeout(deadline);
        resolve({ ...reply, ms: performance.now() - started });
      };
      const authorization = anonymous ? {} : { authorization: `Bearer ${this.key}` };
      // Node omits it for some methods, such as DELETE.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const options = { agent: this.agent, method, headers: { ...authorization, ...length, ...headers } };
      const sent = request(`${this.base}${path}`, options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => keep && chunks.push(chunk));
        response.on('error', () => finish({ status: null }));
        response.on('end', () =>
          finish({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', () => finish({ status: null }));
      const deadline = setTimeout(() => sent.destroy(new Error('no reply in time')), this.timeout);
      sent.end(body);
    });
  }

  /** The same with a JSON body, below `/api/v1`. Returns the reply's `data` if the request succeeded. */
  async api(method, path, value) {
    const headers = value === undefined ? {} : { 'content-type': 'application/json' };
    const body = value === undefined ? undefined : JSON.stringify(value);
    const reply = await this.send(method, `/api/v1${path}`, { headers, body, keep: true });
    const succeeded = reply.status !== null && reply.status < 300;
    return { ...reply, data: succeeded ? JSON.parse(reply.body).data : undefined };
  }

  close() {
    this.agent.destroy();
  }
}
