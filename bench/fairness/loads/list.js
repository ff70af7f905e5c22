/** What the machine costs the good user when all requests of the other one are ordinary. */
export const LIST = [
  {
    id: '0',
    title: 'GET /recordings, nothing else',
    judged: false,
    prepare: () => (client) => client.send('GET', '/api/v1/recordings'),
  },
];
