// Creates a share link that expires, with a password if PASSWORD is set, and prints its URL.
//   node share.mjs ID [DAYS]
import { MeetingRecordings, RecordingNotFoundError } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY, PASSWORD } = process.env;
const [id, days = '7'] = process.argv.slice(2);
if (!id) {
  console.error('Usage: node share.mjs ID [DAYS]');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });

const expires_at = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
try {
  const link = await api.post('/recordings/{id}/share-link', {
    path: { id },
    body: { expires_at, password: PASSWORD ?? null },
  });
  console.log(link.share_url);
} catch (error) {
  if (!(error instanceof RecordingNotFoundError)) throw error;
  console.error('There is no such recording, or you may not see it.');
  process.exitCode = 1;
}
