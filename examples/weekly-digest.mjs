// Writes an email about the meetings of the last seven days, for a program such as sendmail.
//   node weekly-digest.mjs team@example.com | sendmail -t
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const [to] = process.argv.slice(2);
if (!to) {
  console.error('Usage: node weekly-digest.mjs ADDRESS');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });

const DAY_MS = 86_400_000;
const date_from = new Date(Date.now() - 7 * DAY_MS).toISOString();
const meetings = [];
for await (const { id } of api.list('/recordings', { query: { date_from, status: ['COMPLETED'] } })) {
  const { title, createdAt, startedAt, duration, summary } = await api.get('/recordings/{id}', {
    path: { id },
  });
  const minutes = Math.round((duration ?? 0) / 60);
  const length = minutes > 0 ? `, ${minutes} min` : duration === null ? '' : `, ${Math.round(duration)} s`;
  const points = summary.topics.flatMap(({ keyPoints }) => keyPoints.map(({ point }) => `  - ${point}`));
  meetings.push(
    [`${title} (${(startedAt ?? createdAt).slice(0, 10)}${length})`, ...points.slice(0, 5)].join('\n'),
  );
}

console.log(`To: ${to}
Subject: ${meetings.length} meetings this week
Content-Type: text/plain; charset=utf-8

${meetings.join('\n\n') || 'There were none.'}`);
