/** The child that shows whether isolation works: it loads, reads, writes, and must not see what is hidden. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OUTPUT_FOLDER } from './confined-folder.js';

await import('p-limit');
const [input = '', hidden = ''] = process.argv.slice(2);
if (existsSync(hidden)) throw new Error('files of the service can be read');
writeFileSync(`${OUTPUT_FOLDER}/copy`, readFileSync(input));
// Node needs `/proc` to report its memory.
process.memoryUsage.rss();
