import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/prepare.js';
import { startProcess } from '../processes.js';

const SPEECH = join(ROOT, 'test', 'data', 'speech');
const MAKER = fileURLToPath(new URL('make-speech.js', import.meta.url));
/** JavaScript heap; the recording itself is written piece by piece. */
const HEAP_MEGABYTES = 256;

/** What is said in each file, by its name. */
export const REFERENCES = JSON.parse(readFileSync(join(SPEECH, 'references.json'), 'utf8'));

export const readSpeech = (name) => readFileSync(join(SPEECH, name));

/** An MP4 with this many minutes of speech, kept in `folder` for the next run. */
export const longSpeech = (folder, minutes, say) => speechIn(folder, minutes, 'mp4', say);

/** The same as a recorder sends it while it records. */
export const liveSpeech = (folder, minutes, say) => speechIn(folder, minutes, 'live.webm', say);

/** The part of the speech that falls to one of several people, numbered from 0, who take turns. */
export const trackOf = (folder, minutes, person, people, say) =>
  speechIn(folder, minutes, `${person}of${people}.mp4`, say);

async function speechIn(folder, minutes, format, say) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `speech-${minutes}.${format}`);
  if (!existsSync(file)) {
    say(`making a meeting of ${minutes} min`);
    const partial = join(folder, `partial.${format}`);
    rmSync(partial, { force: true });
    const files = Object.keys(REFERENCES).map((name) => join(SPEECH, name));
    const maker = startProcess(
      process.execPath,
      [`--max-old-space-size=${HEAP_MEGABYTES}`, MAKER, partial, String(minutes * 60), ...files],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    await maker.ended;
    if (maker.child.exitCode !== 0) throw new Error(`${file} was not made`);
    renameSync(partial, file);
  }
  return readFileSync(file);
}
