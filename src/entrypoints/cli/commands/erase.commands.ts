import { open } from 'node:fs/promises';
import { LIMITS } from '../../../contract/limits.js';
import { counted } from '../../../lib/text.js';
import type { ErasureCounts, ReviewedText } from '../../../modules/erasures/entities/erasure.entity.js';
import { ErasureRunService } from '../../../modules/erasures/erasure-run.service.js';
import { ErasuresService } from '../../../modules/erasures/erasures.service.js';
import type { ErasedWords } from '../../../modules/transcripts/public/erased-words.js';
import { HOUR_MS } from '../../../lib/durations.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { failed, usageError } from '../exit-status.js';
import { withService, type UserOptions } from '../host.js';
import { emailAddress, ifGiven, text } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

interface EraseOptions extends Output, Confirmable, UserOptions {
  readonly speakerName?: readonly string[];
  readonly words: ErasedWords;
  readonly keepAudio?: boolean;
  readonly output?: string;
}

/** Erases a person from the whole installation, in this process; a worker goes on if it dies. */
export async function erasePerson({
  email,
  id,
  speakerName,
  output,
  ...options
}: EraseOptions): Promise<void> {
  await withService(async (service) => {
    const erasures = service.get(ErasuresService);
    const { preview, ...erasure } = await erasures.preview(COMMAND_LINE, null, {
      email: ifGiven(email, (value) => emailAddress('--email', value)),
      user_id: id,
      speaker_names: speakerName?.map((name) => text('--speaker-name', name, LIMITS.speaker)),
      words: options.words,
      silence_audio: !options.keepAudio,
    });
    const { counts, review, moreToReview } = preview;
    notice(['This will be erased:', ...countLines(counts), ...reviewLines(review, moreToReview)].join('\n'));
    await confirm('Erase this person from all organizations and from personal recordings', options);
    const file = output === undefined ? undefined : await created(output);
    const { recordings_deleted: deleted = 0, recordings_changed: changed = 0 } = counts;
    await erasures.run(COMMAND_LINE, erasure, deleted + changed, new Date(Date.now() + HOUR_MS));
    await service.get(ErasureRunService).run(erasure.id, new AbortController().signal);
    const { receipt, statusReason } = await erasures.find(erasure.id);
    if (receipt === null) throw failed(`${statusReason} To go on, erase the person again.`);
    await file?.writeFile(`${JSON.stringify(receipt, null, 2)}\n`);
    await file?.close();
    print(
      options,
      receipt,
      ['Erased:', ...countLines(receipt.counts), `receipt: ${receipt.hash}`].join('\n'),
    );
  });
}

/** Before anything is erased: a receipt that cannot be written is lost. */
const created = (path: string) =>
  open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw usageError(
      error.code === 'EEXIST'
        ? `--output: ${path} exists already, and is not overwritten`
        : `--output: ${error.message}`,
    );
  });

const countLines = (counts: ErasureCounts): string[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `  ${kind.replaceAll('_', ' ')}: ${count}`);

function reviewLines(review: readonly ReviewedText[], more: boolean): string[] {
  if (review.length === 0) return [];
  const title = `${counted(review.length, 'text')}${more ? ' and more' : ''} may say who it is, and stay as they are unless you edit them:`;
  return [title, ...review.map(({ resource, id, fields }) => `  ${resource} ${id}: ${fields.join(', ')}`)];
}
