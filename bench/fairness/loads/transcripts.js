import { captions } from '../texts.js';

/** A transcript of a whole week: summarized, exported, replaced. */
export const TRANSCRIPTS = [
  {
    id: '3a',
    title: 'POST .../summary of a long transcript',
    prepare:
      ({ heavy }) =>
      (client) =>
        client.send('POST', `/api/v1/recordings/${heavy.long}/summary`),
  },
  {
    id: '3b',
    title: 'GET .../transcript?format=vtt of it',
    prepare:
      ({ heavy }) =>
      (client) =>
        client.send('GET', `/api/v1/recordings/${heavy.long}/transcript?format=vtt`),
  },
  {
    id: '3c',
    title: 'PUT .../transcript, captions of 20 MiB',
    prepare: ({ heavy, segments }) => {
      const body = captions(segments);
      return (client) =>
        client.send('PUT', `/api/v1/recordings/${heavy.captioned}/transcript`, {
          headers: { 'content-type': 'text/vtt' },
          body,
        });
    },
  },
];
