// `npm run formats`: writes the table of media formats in docs/uploads.md from the files that the tests package.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFormatsTable } from './formats-table.js';
import { ROOT } from './prepare.js';

const media = JSON.parse(readFileSync(join(ROOT, 'test/data/media/formats/formats.json'), 'utf8'));
const page = join(ROOT, 'docs/uploads.md');
writeFileSync(page, withFormatsTable(readFileSync(page, 'utf8'), media));
