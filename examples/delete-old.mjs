// Deletes recordings that are older than some days. Without --yes, it only says which.
//   node delete-old.mjs 365 [--yes]
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const [days, yes] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(days ?? '')) {
  console.error('Usage: node delete-old.mjs DAYS [--yes]');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });

const date_to = new Date(Date.now() - Number(days) * 86_400_000).toISOString();
let count = 0;
for await (const { id, title, createdAt } of api.list('/recordings', { query: { date_to } })) {
  if (yes === '--yes') await api.delete('/recordings/{id}', { path: { id } });
  console.log(id, createdAt.slice(0, 10), title);
  count += 1;
}
console.error(yes === '--yes' ? `Deleted ${count}` : `Would delete ${count}: add --yes`);
