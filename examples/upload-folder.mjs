// Uploads the recordings in a folder, except those that are there already. Started again, it continues with the rest.
//   node upload-folder.mjs FOLDER
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MeetingRecordings, UnsupportedMediaTypeError } from 'meeting-recording-client';

const { API = 'http://localhost:3000', KEY } = process.env;
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Usage: node upload-folder.mjs FOLDER');
  process.exit(2);
}
const api = new MeetingRecordings({ baseUrl: API, apiKey: KEY });

const uploaded = new Set();
for await (const { title, status } of api.list('/recordings')) if (status !== 'ERROR') uploaded.add(title);

for (const entry of await readdir(folder, { withFileTypes: true })) {
  const title = entry.name;
  if (!entry.isFile() || title.startsWith('.') || uploaded.has(title)) continue;
  try {
    const { id } = await api.upload(await openAsBlob(join(folder, title)), {
      title,
      onProgress: ({ sent, total }) =>
        console.error(`${title}: ${Math.floor((100 * sent) / (total ?? sent))} %`),
    });
    console.log(id, title);
  } catch (error) {
    if (!(error instanceof UnsupportedMediaTypeError)) throw error;
    console.error(`${title}: ${error.message}`);
  }
}
