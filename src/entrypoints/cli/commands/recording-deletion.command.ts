import { OperatorRecordingsService } from '../../../modules/recordings/operator/operator-recordings.service.js';
import { singleLine } from '../../../lib/text.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { confirm, type Confirmable } from '../confirm.js';
import { readerOf } from '../lookups.js';
import { print, type Output } from '../output.js';
import { withService } from '../service.js';
import { requireRecording } from './recording-reads.commands.js';

/** `recordings delete ID`. */
export async function deleteRecording(id: string, options: Output & Confirmable): Promise<void> {
  await withService(async (service) => {
    const { title, owner } = await requireRecording(readerOf(service), id);
    const name = `"${singleLine(title)}"${owner ? ` of ${singleLine(owner.name)}` : ''}`;
    await confirm(`Delete ${name} with its transcript, summary and share links`, options);
    await service.get(OperatorRecordingsService).delete(COMMAND_LINE, id);
    print(options, { id, title }, `Deleted ${name}.`);
  });
}
