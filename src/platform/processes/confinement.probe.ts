/**
 * Entry point of the child that shows whether a level works here: it loads a package, reads, writes, and tries to read what
 * the level hides. Arguments: expected uid (empty for the same), and a file that must not be readable (empty for none).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OUTPUT_FOLDER } from './confined-folder.js';

const [uid = '', hidden = '', input = ''] = process.argv.slice(2);

async function probe(): Promise<string | null> {
  await import('p-limit');
  if (uid !== '' && process.getuid?.() !== Number(uid)) return 'the uid is not its own';
  if (hidden !== '' && isReadable(hidden)) return 'files of the service can be read';
  writeFileSync(`${OUTPUT_FOLDER}/copy`, readFileSync(input));
  // Node needs it to report its memory.
  process.memoryUsage.rss();
  return null;
}

function isReadable(path: string): boolean {
  try {
    return existsSync(path) && readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

const failure = await probe().catch((error: unknown) => String(error));
process.send?.({ failure }, () => process.exit(0));
