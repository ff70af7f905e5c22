// Sends pipelined requests from many addresses, as ordered by IPC: `{ port, senders: [{ address, requests }] }`, where
// a request is `{ kind, text }`. Answers with how often each kind got each status: `{ statuses: { 'kind status': count
// } }`.
import { connect } from 'node:net';

/** Requests under way on a connection. */
const DEPTH = 8;
const STATUS = /HTTP\/1\.1 (\d{3}) /g;

process.once('message', ({ port, senders }) => {
  const statuses = {};
  // A failure ends the process.
  void Promise.all(senders.map((sender) => send(port, sender, statuses))).then(() =>
    process.send({ statuses }, () => process.disconnect()),
  );
});

function send(port, { address, requests }, statuses) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address });
    let sent = 0;
    let answered = 0;
    let rest = '';
    const more = () => {
      let text = '';
      while (sent < requests.length && sent - answered < DEPTH) text += requests[sent++].text;
      if (text !== '') socket.write(text);
    };
    socket.setEncoding('latin1');
    socket.on('connect', more);
    socket.on('data', (data) => {
      rest += data;
      let end = 0;
      for (const { 0: line, 1: status, index } of rest.matchAll(STATUS)) {
        const key = `${requests[answered++]?.kind} ${status}`;
        statuses[key] = (statuses[key] ?? 0) + 1;
        end = index + line.length;
      }
      // A status line may be cut in two.
      rest = rest.slice(Math.max(end, rest.length - 'HTTP/1.1 200'.length));
      if (answered === requests.length) socket.end();
      else more();
    });
    socket.on('error', reject);
    socket.on('close', () =>
      answered === requests.length
        ? resolve()
        : reject(new Error(`${address}: ${answered} of ${requests.length} answered`)),
    );
  });
}
