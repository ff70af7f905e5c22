/** The baseline: what sharing the machine costs the good user when the other's requests are ordinary. */
export const LIST = [
  {
    id: '0',
    title: 'GET /recordings, nothing else',
    judged: false,
    prepare: () => (client) => client.send('GET', '/api/v1/recordings'),
  },
];
