/** The baseline: what it costs the good user when the other one only sends ordinary requests. */
export const LIST = [
  {
    id: '0',
    title: 'GET /recordings, nothing else',
    judged: false,
    prepare: () => (client) => client.send('GET', '/api/v1/recordings'),
  },
];
