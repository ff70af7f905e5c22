// Shows a recording on a page of its own: browsers get tokens that expire, and never see KEY.
//   PORT=8080 node embed-player.mjs ID
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000/api/v1', KEY, PORT = '8080' } = process.env;
const [id] = process.argv.slice(2);
if (!id) {
  console.error('Usage: [PORT=8080] node embed-player.mjs ID');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });
const player = readFileSync(new URL(import.meta.resolve('meeting-recording-client/player')));
const page = `<!DOCTYPE html><html lang="en"><title>Meeting</title>
<meeting-player src="${API}/recordings/${id}"></meeting-player>
<script type="module">
  import '/player.js';
  const renew = async () =>
    (document.querySelector('meeting-player').token = await (await fetch('/token')).text());
  renew().then(() => setInterval(renew, 600_000));
</script>`;

/** A token for this browser, for 15 minutes: here is the place to check who may see the recording. */
async function sendToken(response) {
  const origins = [`http://localhost:${PORT}`];
  const body = { scopes: ['recordings:read', 'transcripts:read'], recordings: [id], origins };
  try {
    response.end((await api.post('/tokens', { body })).token);
  } catch (error) {
    response.writeHead(502).end(String(error));
  }
}

createServer(({ url }, response) => {
  response.setHeader('Content-Type', url === '/player.js' ? 'text/javascript' : 'text/html');
  if (url === '/token') void sendToken(response);
  else response.end(url === '/player.js' ? player : page);
}).listen(Number(PORT));
