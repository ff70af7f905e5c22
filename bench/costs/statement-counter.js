import { connect, createServer } from 'node:net';
import { onEnd } from '../endings.js';

/** Types of the messages that run a statement: a simple query, and a prepared one. */
const RUNS = new Set(['Q', 'E'].map((type) => type.charCodeAt(0)));
const LENGTH_BYTES = 4;

/**
 * Stands between a client and PostgreSQL and counts the statements that are sent. (`pg_stat_statements` can be created only by
 * a superuser, and the log of statements would cost PostgreSQL time that is being measured.)
 */
export class StatementCounter {
  /** `url`: of PostgreSQL, without TLS. */
  static async open(url) {
    const { hostname, port } = new URL(url);
    const counter = new StatementCounter();
    const server = createServer((client) => {
      const database = connect(Number(port), hostname);
      const countIn = reader();
      client.on('data', (chunk) => (counter.statements += countIn(chunk)));
      for (const [from, to] of [
        [client, database],
        [database, client],
      ]) {
        from.setNoDelay(true);
        from.pipe(to);
        from.on('error', () => to.destroy());
      }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    onEnd(async () => server.close());
    const address = new URL(url);
    address.port = server.address().port;
    counter.url = String(address);
    return counter;
  }

  statements = 0;
}

/** Returns a function that counts the statements in the next chunk of what a client sends. */
function reader() {
  // The first message has no type.
  let headerBytes = LENGTH_BYTES;
  let header = Buffer.alloc(0);
  let left = 0;
  return (chunk) => {
    let statements = 0;
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + (left > 0 ? left : headerBytes - header.length));
      at += taken.length;
      if (left > 0) {
        left -= taken.length;
        continue;
      }
      header = Buffer.concat([header, taken]);
      if (header.length < headerBytes) break;
      if (headerBytes > LENGTH_BYTES && RUNS.has(header[0])) statements += 1;
      left = header.readInt32BE(headerBytes - LENGTH_BYTES) - LENGTH_BYTES;
      headerBytes = 1 + LENGTH_BYTES;
      header = Buffer.alloc(0);
    }
    return statements;
  };
}
