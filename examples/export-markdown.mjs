// Writes every transcript as a Markdown file, with the summary before it.
//   node export-markdown.mjs FOLDER
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Usage: node export-markdown.mjs FOLDER');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });
const query = /** @type {const} */ ({ format: 'md' });

await mkdir(folder, { recursive: true });
for await (const { id, title, createdAt } of api.list('/recordings', { query: { status: ['COMPLETED'] } })) {
  const { transcription, summary } = await api.get('/recordings/{id}', { path: { id } });
  if (transcription.status !== 'completed') continue;
  const parts = [await api.text('/recordings/{id}/transcript', { path: { id }, query })];
  if (summary.status === 'completed')
    parts.unshift(await api.text('/recordings/{id}/summary', { path: { id }, query }));
  const name = `${createdAt.slice(0, 10)} ${title.replaceAll(/[^\p{L}\p{N} -]+/gu, '-').slice(0, 80)} ${id.slice(-6)}.md`;
  await writeFile(join(folder, name), parts.join('\n'));
  console.log(name);
}
