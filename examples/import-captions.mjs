// Imports a meeting of another tool: captions or a transcript, without media. Then has it summarized.
//   node import-captions.mjs meeting.vtt 'Weekly sync' 2026-01-31T09:30:00Z
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const [file, title = basename(file ?? ''), started_at] = process.argv.slice(2);
if (!file) {
  console.error('Usage: node import-captions.mjs FILE [TITLE [START]]');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });

const body = await readFile(file);
const { id } = await api.post('/recordings', { body: { title, started_at, media: 'none' } });
try {
  // The content of the file says what it is.
  const { segmentsCount, speakers } = await api.put('/recordings/{id}/transcript', { path: { id }, body });
  console.error(`${segmentsCount} segments of ${speakers.join(', ')}`);
} catch (error) {
  await api.delete('/recordings/{id}', { path: { id } });
  throw error;
}
await api.post('/recordings/{id}/summary', { path: { id } });
const { summary } = await api.waitFor(id, 'summary');
console.error(summary.content);
console.log(id);
