// `npm run formats`: writes the table of media formats in docs/uploads.md from the files that the tests package, and that of
// transcript formats in docs/transcripts.md from the readers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFormatsTable, withTranscriptsTable } from './formats-table.js';
import { prepare, ROOT } from './prepare.js';

await prepare();
const { JSON_FORMATS, TEXT_FORMATS } =
  await import('../dist/src/modules/transcripts/files/transcript-formats.js');
const media = JSON.parse(readFileSync(join(ROOT, 'test/data/media/formats/formats.json'), 'utf8'));
rewrite('uploads.md', (page) => withFormatsTable(page, media));
rewrite('transcripts.md', (page) => withTranscriptsTable(page, { ...TEXT_FORMATS, json: JSON_FORMATS }));

function rewrite(name, change) {
  const path = join(ROOT, 'docs', name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
