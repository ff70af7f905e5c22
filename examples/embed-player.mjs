// Shows a recording on a page of its own: browsers get tokens that expire, and never see KEY.
//   PORT=8080 node embed-player.mjs ID
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { API = 'http://localhost:3000/api/v1', KEY, PORT = '8080' } = process.env;
const [id] = process.argv.slice(2);
if (!id) {
  console.error('Usage: [PORT=8080] node embed-player.mjs ID');
  process.exit(2);
}
const FOLDER = new URL('../', import.meta.resolve('meeting-recording-client/player'));
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
const PAGE = `<!DOCTYPE html><html lang="en"><title>Meeting</title>
<meeting-player src="${API}/recordings/${id}"></meeting-player>
<script type="module">
  import '/player/embed/meeting-player.js';
  const [player] = document.getElementsByTagName('meeting-player');
  const renew = async () => (player.token = await (await fetch('/token')).text());
  renew().then(() => setInterval(renew, 600_000));
</script>`;

/** For this browser; here is the place to check who may see the recording. */
async function createToken() {
  const scopes = ['recordings:read', 'transcripts:read'];
  const body = { scopes, recordings: [id], expires_in: 900, origins: [`http://localhost:${PORT}`] };
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
  const reply = await fetch(`${API}/tokens`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data, error } = JSON.parse(await reply.text());
  if (error) console.error(error.message);
  return data?.token ?? '';
}

createServer(({ url }, response) => {
  const file = FILES.find((name) => name.endsWith('.js') && url === `/player/${name}`);
  response.setHeader('Content-Type', file ? 'text/javascript' : 'text/html; charset=utf-8');
  if (url !== '/token') response.end(file ? readFileSync(new URL(file, FOLDER)) : PAGE);
  else void createToken().then((token) => response.end(token));
}).listen(Number(PORT));
