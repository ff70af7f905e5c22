// Keeps a folder with the transcript of every recording up to date, and notes where it is: run it every hour, or after a week.
//   node sync-folder.mjs FOLDER
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MeetingRecordings, RecordingNotFoundError } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Usage: node sync-folder.mjs FOLDER');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });
const noted = join(folder, '.cursor');
await mkdir(folder, { recursive: true });
let cursor = await readFile(noted, 'utf8').catch(() => '');
const changed = new Set();
if (!cursor) for await (const { id } of api.list('/recordings')) changed.add(id);
for (let more = true; more;) {
  const query = cursor ? { cursor } : { since: new Date(Date.now() - 60_000).toISOString() };
  const { data, pagination } = await api.page('/events', { query });
  for (const { data: about } of data) if ('recording_id' in about) changed.add(about.recording_id);
  ({ next_cursor: cursor, has_more: more } = pagination);
}

for (const id of changed) {
  const file = join(folder, `${id}.txt`);
  try {
    const { transcription } = await api.get('/recordings/{id}', { path: { id } });
    if (transcription.status !== 'completed') continue;
    const options = { path: { id }, query: /** @type {const} */ ({ format: 'txt' }) };
    await writeFile(file, await api.text('/recordings/{id}/transcript', options));
    console.log('wrote', file);
  } catch (error) {
    if (!(error instanceof RecordingNotFoundError)) throw error;
    await rm(file, { force: true });
    console.log('removed', file);
  }
}
await writeFile(noted, cursor);
