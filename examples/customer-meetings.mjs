// A page that lists the meetings of a customer and lets them upload. The customer is an organization, by your own id.
//   PORT=8080 node customer-meetings.mjs CUSTOMER
import { createServer } from 'node:http';
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000/api/v1', KEY, PORT = '8080' } = process.env;
const [customer] = process.argv.slice(2);
if (!customer) {
  console.error('Usage: [PORT=8080] node customer-meetings.mjs CUSTOMER');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });
const organization_id = `ext:${customer}`;
await api.post('/organizations', { body: { name: customer, external_id: customer } }).catch((error) => {
  if (error.code !== 'CONFLICT') throw error; // It is there already.
});
const escaped = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const script = `document.querySelector('input').onchange = async ({ target: { files: [file] } }) => {
  const { url, token } = await (await fetch('/', { method: 'POST', body: file.name })).json();
  await fetch(url, { method: 'PUT', body: file, headers: { Authorization: 'Bearer ' + token } }); location.reload();
};`;

async function page() {
  const meetings = await api.get('/recordings', { query: { organization_id } });
  const items = meetings.map(({ title, status }) => `<li>${escaped(title)}: ${status}`).join('');
  return `<!DOCTYPE html><html lang="en"><title>Meetings</title><ul>${items}</ul><input type="file"><script>${script}</script></html>`;
}
// A token with which this browser may send this file and nothing else.
async function upload(title) {
  const { id } = await api.post('/recordings', { body: { title, organization_id } });
  const body = { scopes: ['recordings:write'], recordings: [id], origins: [`http://localhost:${PORT}`] };
  const { token } = await api.post('/tokens', { body });
  return JSON.stringify({ url: `${API}/recordings/${id}/media`, token });
}
createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html');
  (request.method === 'POST' ? new Response(request).text().then(upload) : page())
    .then((text) => response.end(text))
    .catch((error) => response.writeHead(502).end(`${error}`));
}).listen(Number(PORT));
