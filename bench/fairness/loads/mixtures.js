import { words } from '../texts.js';
import { PASSWORDS } from './passwords.js';
import { QUESTIONS } from './questions.js';
import { SUMMARIES } from './summaries.js';
import { TRANSCRIPTS } from './transcripts.js';
import { UPLOADS } from './uploads.js';

const QUERIES = 50;

const LIST_AND_SEARCH = {
  id: '7',
  title: 'GET /recordings, ?search= and /recordings/search',
  prepare: () => {
    const draw = words(7);
    const queries = Array.from({ length: QUERIES }, () => encodeURIComponent(draw(2)));
    return (client, connection, n) => {
      const query = queries[(7 * connection + n) % QUERIES];
      const paths = ['?limit=100', `?limit=100&search=${query}`, `/search?limit=50&q=${query}`];
      return client.send('GET', `/api/v1/recordings${paths[n % paths.length]}`);
    };
  },
};

const READ_AND_CORRECT = {
  id: '8',
  title: 'transcripts read, exported and corrected',
  prepare: ({ heavy }) => {
    const draw = words(8);
    return (client, connection, n) => {
      const path = `/recordings/${heavy.long}/transcript`;
      if (n % 3 === 0) return client.api('GET', `${path}?limit=50&start_chunk=${n % 40}`);
      if (n % 3 === 1) return client.send('GET', `/api/v1${path}?format=txt`);
      return client.api('PATCH', `${path}/segments/${(17 * connection + n) % 1_000}`, { text: draw(12) });
    };
  },
};

const SINGLE = [LIST_AND_SEARCH, READ_AND_CORRECT];

/** All of the loads, one request of each after the other on every connection. */
const EVERYTHING = {
  id: '9',
  title: 'everything at once',
  connections: 16,
  ratio: 5,
  prepare: (world) => {
    const steps = [...SINGLE, ...SUMMARIES, ...TRANSCRIPTS, ...UPLOADS, ...QUESTIONS, ...PASSWORDS].map(
      ({ prepare }) => prepare(world),
    );
    return (client, connection, n) => steps[(connection + n) % steps.length](client, connection, n);
  },
};

/** What somebody does who uses the service a lot, rather than what costs it the most. */
export const MIXTURES = [...SINGLE, EVERYTHING];
