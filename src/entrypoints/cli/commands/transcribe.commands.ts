import { TranscriptionService } from '../../../modules/pipeline/transcription/transcription.service.js';
import { usageError } from '../exit-status.js';
import { languageOption } from '../option-values.js';
import { print, type Output } from '../output.js';
import { showProgress } from '../progress.js';
import { withService } from '../service.js';

/** `recordings transcribe ID` and `recordings transcribe --missing`. */
export async function transcribeRecordings(
  id: string | undefined,
  options: Output & { missing?: boolean; language?: string },
): Promise<void> {
  if ((id === undefined) === !options.missing)
    throw usageError('Give either the id of a recording or --missing');
  const language = languageOption(options.language) ?? null;
  await withService(async (service) => {
    const transcriptions = service.get(TranscriptionService);
    if (id === undefined) {
      await startMissing(transcriptions, language, options);
    } else {
      await transcriptions.startForOperator(id, language);
      print(options, { id, transcription: 'processing' }, `${id}: transcription started`);
    }
  });
}

async function startMissing(
  transcriptions: TranscriptionService,
  language: string | null,
  options: Output,
): Promise<void> {
  const bar = showProgress();
  const onProgress = (done: number, total: number): void =>
    bar.show(done / total, `${done} of ${total} recordings`);
  const report = await transcriptions.startMissing({ language, onProgress }).finally(bar.end);
  const { started, notAllowed } = report;
  print(
    options,
    report,
    `transcriptions started: ${started}\nnot allowed by plan or feature flags: ${notAllowed}`,
  );
}
