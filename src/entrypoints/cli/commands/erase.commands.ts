import { HOUR_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';
import type { Erasure } from '../../../modules/erasures/entities/erasure.entity.js';
import { ErasureRunService } from '../../../modules/erasures/erasure-run.service.js';
import { ErasuresService } from '../../../modules/erasures/erasures.service.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { failed } from '../exit-status.js';
import { withService, type UserOptions } from '../host.js';
import { emailAddress, ifGiven, text } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

interface EraseOptions extends Output, Confirmable, UserOptions {
  readonly speakerName?: readonly string[];
}

/** Erases a person from the whole installation, in this process; a worker goes on if it dies. */
export async function erasePerson({ email, id, speakerName, ...options }: EraseOptions): Promise<void> {
  await withService(async (service) => {
    const erasures = service.get(ErasuresService);
    const erasure = await erasures.preview(COMMAND_LINE, null, {
      email: ifGiven(email, (value) => emailAddress('--email', value)),
      user_id: id,
      speaker_names: speakerName?.map((name) => text('--speaker-name', name, LIMITS.speaker)),
    });
    notice(previewLines(erasure.preview).join('\n'));
    await confirm('Erase this person from all organizations and from personal recordings', options);
    const { recordings_deleted: deleted = 0, recordings_changed: changed = 0 } = erasure.preview.counts;
    await erasures.run(COMMAND_LINE, erasure, deleted + changed, new Date(Date.now() + HOUR_MS));
    await service.get(ErasureRunService).run(erasure.id, new AbortController().signal);
    const { receipt, statusReason } = await erasures.find(erasure.id);
    if (receipt === null) throw failed(`${statusReason} To go on, erase the person again.`);
    print(options, receipt, JSON.stringify(receipt, null, 2));
  });
}

function previewLines({ counts, review }: Erasure['preview']): string[] {
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  const lines = found.map(([kind, count]) => `  ${kind.replaceAll('_', ' ')}: ${count}`);
  const texts = review.map(({ recording_id: id, fields }) => `  ${id}: ${fields.join(', ')}`);
  if (texts.length > 0)
    texts.unshift('Texts of these recordings may say who it is, and stay as they are unless you edit them:');
  return ['This will be erased:', ...lines, ...texts];
}
