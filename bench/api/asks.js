import { Agent, request } from 'node:http';
import { keyOf } from './data.js';
import { onEnd } from '../endings.js';

/** A request by one of the users in the data; `path` is relative to `/api/v1/recordings`. */
export function ask(person, path, { method = 'GET', body } = {}) {
  const headers = { authorization: `Bearer ${keyOf(person)}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  return { method, path: `/api/v1/recordings${path}`, headers, body };
}

/** Sends requests to the sides, one at a time each, over keep-alive connections. */
export class Asker {
  constructor() {
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onEnd(async () => this.agent.destroy());
  }

  /** `{ status, headers, body, ms }`. */
  answer(side, { method = 'GET', path, headers, body }) {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(`${side.base}${path}`, { agent: this.agent, method, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - started;
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks),
            ms,
          });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The JSON of a reply that must succeed. */
  async json(side, asked) {
    const { status, body } = await this.answer(side, asked);
    if (status >= 300)
      throw new Error(`${side.name}: ${asked.method} ${asked.path} returned ${status}: ${body}`);
    return JSON.parse(body.toString());
  }

  /**
   * Repeats the requests in turn for this long, at least five times each; returns the milliseconds of each. One at a time,
   * to measure the cost of a request without queueing; timed here because autocannon only has whole milliseconds.
   */
  async alternate(side, asks, seconds) {
    const taken = asks.map(() => []);
    const end = performance.now() + seconds * 1000;
    while (taken[0].length < 5 || performance.now() < end) {
      for (const [index, asked] of asks.entries()) {
        const { status, ms } = await this.answer(side, asked);
        if (status !== 200) throw new Error(`${side.name}: ${asked.path} returned ${status}`);
        taken[index].push(ms);
      }
    }
    return taken;
  }
}
