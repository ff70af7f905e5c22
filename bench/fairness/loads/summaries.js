import { REFERENCES } from '../texts.js';

/** Markdown in which every reference repeats a long URL: 100 KB become 470 MB of HTML. */
export const SUMMARIES = [
  {
    id: '1a',
    title: 'GET /s/:token, summary of 18,748 references',
    prepare:
      ({ heavy }) =>
      (client) =>
        client.send('GET', `/s/${heavy.share}`, { anonymous: true }),
  },
  {
    id: '1b',
    title: 'PUT .../summary of 18,748 references',
    prepare:
      ({ heavy }) =>
      (client) =>
        client.send('PUT', `/api/v1/recordings/${heavy.written}/summary`, {
          headers: { 'content-type': 'text/markdown' },
          body: REFERENCES,
        }),
  },
];
