import { gzipSync } from 'node:zlib';

/** The maximum size of a JSON body: 2 KB on the wire. */
const NESTED = gzipSync('['.repeat(2 * 1024 * 1024), { level: 9 });
const nested = {
  anonymous: true,
  headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  body: NESTED,
};

/** JSON of maximum parsing cost, from clients without a key. */
export const BODIES = [
  {
    id: '2a',
    title: 'POST /shares/:token/access, 2 KB of gzip, [[[[...',
    prepare:
      ({ heavy }) =>
      (client) =>
        client.send('POST', `/api/v1/shares/${heavy.share}/access`, nested),
  },
  {
    id: '2b',
    title: 'GET /shares/:token, the same body',
    prepare:
      ({ heavy }) =>
      (client) =>
        client.send('GET', `/api/v1/shares/${heavy.share}`, nested),
  },
];
