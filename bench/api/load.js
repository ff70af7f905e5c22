// Sends load with autocannon in a separate process, as instructed by `Loader` over IPC.
import autocannon from 'autocannon';

process.on('message', (order) => {
  load(order).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});
process.once('disconnect', () => process.exit(0));

/** `once`: each request is sent once, by any connection; otherwise they repeat until the time or amount is used up. */
async function load({ base, requests, once, amount, seconds, connections }) {
  let connection = 0;
  const setupClient = (client) => {
    client.setRequests(shareOf(requests, connection++, connections, once));
    // autocannon would decode every body to unused text, which takes longer than sending a large one.
    client.pipelinedRequests.addBody = () => undefined;
  };
  const timed = !once && amount === undefined;
  const limit = timed ? Number.MAX_SAFE_INTEGER : (amount ?? requests.length);
  const taken = [];
  const statuses = {};
  const started = performance.now();
  let last = started;
  const instance = autocannon({ url: base, connections, setupClient, amount: limit, sampleInt: 50 });
  instance.on('response', (_client, status, _bytes, ms) => {
    last = performance.now();
    taken.push(ms);
    statuses[status] = (statuses[status] ?? 0) + 1;
    // Ensures at least some replies, however slow the machine is.
    if (timed && last - started >= seconds * 1000 && taken.length >= connections) instance.stop();
  });
  instance.on('reqError', () => instance.stop());
  const { errors } = await instance;
  taken.sort((a, b) => a - b);
  const at = (share) => taken[Math.max(0, Math.ceil(taken.length * share) - 1)] ?? 0;
  const rps = (taken.length * 1000) / (last - started);
  return { count: taken.length, rps, p50: at(0.5), p99: at(0.99), statuses, errors };
}

/** A separate list per connection, as autocannon modifies it: a share of the requests, or all with another start. */
function shareOf(requests, connection, connections, once) {
  if (once) return requests.filter((_, index) => index % connections === connection);
  const first = Math.floor((requests.length * connection) / connections);
  return [...requests.slice(first), ...requests.slice(0, first)].map((request) => ({ ...request }));
}
