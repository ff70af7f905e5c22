import { createServer } from 'node:http';
import { onEnd } from '../endings.js';

/** One server for all receivers, each with a path of its own. Those for which `hangs` holds never answer. */
export async function startReceivers(hangs) {
  let arrivals = [];
  let ids = new Set();
  let waiting = 0;
  let kept = 0;
  const server = createServer((request, response) => {
    if (hangs(Number(request.url.slice(1)))) {
      waiting += 1;
      kept = Math.max(kept, waiting);
      request.socket.once('close', () => (waiting -= 1));
      return;
    }
    request.resume().once('end', () => {
      // At least once: the same one again does not count.
      const id = `${request.url} ${request.headers['webhook-id']}`;
      if (!ids.has(id)) arrivals.push(performance.now());
      ids.add(id);
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address();
  return {
    urlOf: (n) => `http://127.0.0.1:${port}/${n}`,
    reset: () => {
      arrivals = [];
      ids = new Set();
    },
    answered: () => arrivals.length,
    times: (since) => arrivals.map((time) => time - since),
    kept: () => kept,
  };
}
