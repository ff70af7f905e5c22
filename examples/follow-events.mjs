// Prints events as they happen, until Ctrl-C.
//   node follow-events.mjs 'recording.*,transcript.completed'
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const [types] = process.argv.slice(2);
if (!types) {
  console.error('Usage: node follow-events.mjs TYPES');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });

const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

for await (const event of api.events({ types, signal: controller.signal })) {
  const recording = 'recording' in event.data ? event.data.recording : null;
  console.log(event.timestamp, event.type, recording?.title ?? '');
}
