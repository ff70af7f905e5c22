// Searches everything that was said, and prints the moments.
//   node search.mjs glove '"winter routes"'
import { MeetingRecordings } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const q = process.argv.slice(2).join(' ');
if (!q) {
  console.error('Usage: node search.mjs WORDS');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });

for await (const { id, title, matches } of api.list('/recordings/search', { query: { q } })) {
  console.log(`${title} (${id})`);
  for (const { start, speaker, snippet } of matches) {
    console.log(
      `  ${start === null ? '' : `${clock(start)} `}${speaker ? `${speaker}: ` : ''}${plain(snippet)}`,
    );
  }
}

function clock(seconds) {
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

/** Snippets are HTML, in which matches are marked. */
function plain(html) {
  const characters = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return html
    .replaceAll(/<\/?mark>/g, '*')
    .replaceAll(/&[a-z0-9#]+;/g, (entity) => characters[entity] ?? entity);
}
