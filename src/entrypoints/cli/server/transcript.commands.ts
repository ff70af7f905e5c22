import { writeFile } from 'node:fs/promises';
import type { Schemas } from 'meeting-recording-client';
import { counted, singleLine } from '../../../lib/text.js';
import { clockTime } from '../../../lib/clock-time.js';
import { usageError } from '../exit-status.js';
import { fileToSend, languageOption } from '../option-values.js';
import { notice, print, toJson, type Output } from '../output.js';
import { onServer } from './client.js';

const PATH = '/recordings/{id}/transcript';

/** `transcript get ID`: a line for each segment. */
export const getTranscript = (id: string, { json }: Output): Promise<void> =>
  onServer(async ({ api, signal }) => {
    const call = { path: { id }, signal };
    if (json) {
      const whole = await api.get(PATH, { ...call, query: { format: 'json' } });
      process.stdout.write(`${toJson(whole)}\n`);
      return;
    }
    let count = 0;
    for await (const { start, speaker, text } of api.list(PATH, call)) {
      const who = speaker ? `${singleLine(speaker)}: ` : '';
      process.stdout.write(`[${clockTime(start)}] ${who}${singleLine(text)}\n`);
      count += 1;
    }
    if (count === 0) notice('The recording has no transcript.');
  });

/** `transcript export ID`: a file, or standard output. */
export const exportTranscript = (
  id: string,
  { format, output }: { format: Schemas['TranscriptFormat']; output?: string },
): Promise<void> =>
  onServer(async ({ api, signal }) => {
    const call = { path: { id }, query: { format }, signal };
    const text = format === 'json' ? `${toJson(await api.get(PATH, call))}\n` : await api.text(PATH, call);
    if (output === undefined) {
      // In a file, every character is kept; a terminal would obey some of them.
      const isShown = process.stdout.isTTY;
      process.stdout.write(isShown ? text.split(/\r?\n/).map(singleLine).join('\n') : text);
      return;
    }
    await writeFile(output, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw usageError(`${output}: ${error.code === 'EEXIST' ? 'exists already' : error.message}`);
    });
    notice(`Wrote ${output}.`);
  });

/** `transcript put ID FILE`: the server recognizes the format. */
export async function putTranscript(
  id: string,
  file: string,
  options: Output & { language?: string; lenient?: boolean },
): Promise<void> {
  const language = languageOption(options.language);
  const body = await fileToSend(file);
  await onServer(async ({ api, signal }) => {
    const query = { language, lenient: options.lenient };
    const imported = await api.put(PATH, { path: { id }, query, body, signal });
    for (const { place, reason } of imported.skipped) notice(singleLine(`skipped ${place}: ${reason}`));
    const { segmentsCount, skippedCount } = imported;
    const skipped = skippedCount > 0 ? `, skipped ${counted(skippedCount, 'part')}` : '';
    print(options, imported, `${singleLine(id)}: imported ${counted(segmentsCount, 'segment')}${skipped}`);
  });
}
