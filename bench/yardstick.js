// The yardstick for the service: a bare `node:http` server that does the same work by hand, on the same database with as
// many connections, and should return the same bytes of `data`. It has no framework, validation or logging.
// Settings: DATABASE_URL, PUBLIC_URL, URL_SIGNING_KEY, SEALING_KEY, PORT, POOL_SIZE, MEDIA_FILE.
import { createServer } from 'node:http';
import pg from 'pg';
import { missingSpeechRuntime } from '../dist/src/lib/speech/speech-runtime.js';
import { Sealer } from '../dist/src/platform/sealing/sealer.js';
import { Addresses } from './yardstick/urls.js';
import { getDetail } from './yardstick/detail.js';
import { callerOf } from './yardstick/key.js';
import { getList } from './yardstick/list.js';
import { mediaSender } from './yardstick/media.js';
import { Refusal } from './yardstick/refusal.js';
import { send } from './yardstick/send.js';
import { postShareLink } from './yardstick/share-link.js';
import { getTranscript } from './yardstick/transcript.js';

const { DATABASE_URL, PUBLIC_URL, URL_SIGNING_KEY, SEALING_KEY, PORT, POOL_SIZE, MEDIA_FILE } = process.env;
const RECORDINGS = '/api/v1/recordings';

const context = {
  pool: new pg.Pool({
    connectionString: DATABASE_URL,
    max: Number(POOL_SIZE),
    // Every statement is named and has one plan that suits all values: none is planned twice.
    options: '-c plan_cache_mode=force_generic_plan',
  }),
  addresses: new Addresses({ publicUrl: PUBLIC_URL, signingKey: URL_SIGNING_KEY, ttl: 3600 }),
  sealer: new Sealer([SEALING_KEY]),
  transcribes: missingSpeechRuntime() === null,
};
const sendMedia = mediaSender(MEDIA_FILE);

const server = createServer((request, response) => {
  if (request.url === '/health/ready') send(response, 200, '{}');
  else if (request.url.startsWith('/media/')) sendMedia(request, response);
  else answer(request).then(([status, body]) => send(response, status, body), fail);

  function fail(error) {
    if (!(error instanceof Refusal)) process.stderr.write(`${error.stack}\n`);
    send(response, error.status ?? 500, '{}');
  }
});
server.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

async function answer(request) {
  const [path, search] = request.url.split('?');
  if (!path.startsWith(RECORDINGS)) throw new Refusal(404);
  const body = request.method === 'POST' ? await textOf(request) : '';
  const caller = await callerOf(context.pool, request.headers.authorization);
  const query = new URLSearchParams(search);
  const [, id, part] = path.slice(RECORDINGS.length).split('/');
  if (request.method === 'POST') return postShareLink(context, caller, id, body);
  if (id === undefined) return [200, await getList(context, caller, query)];
  if (part === undefined) return [200, await getDetail(context, caller, id)];
  return [200, await getTranscript(context, caller, id, query)];
}

function textOf(request) {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    request.on('end', () => resolve(text)).on('error', reject);
  });
}
