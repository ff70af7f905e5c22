// `npm run formats`: writes the table of media formats in docs/uploads.md from the files that the tests package.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFormatsTable } from './formats-table.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'uploads.md');
const formats = JSON.parse(readFileSync(join(root, 'test/data/media/formats/formats.json'), 'utf8'));
writeFileSync(page, withFormatsTable(readFileSync(page, 'utf8'), formats));
