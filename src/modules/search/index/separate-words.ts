import { DomainError } from '../../../contract/domain-error.js';
import { spacedStems } from '../../../lib/language/dense-words.js';
import { WorkLimitError, type WorkPool } from '../../../platform/work/work-pool.service.js';
import { SEPARATE_WORDS } from './separate-words.task.js';

/** Fewer characters take a millisecond or two, less than handing them to a thread. */
const FEW = 2_000;
/** Characters that a thread separates at once: about half a second of its time. */
const BATCH = 1_000_000;
/** Time for all of a recording: a transaction waits, which PostgreSQL ends after a minute. */
const SECONDS = 45;
const TOO_SLOW = 'Indexing the text took too long. Try again later.';

/**
 * Separates the words of dense scripts by spaces, for PostgreSQL, which cannot. Returns the texts in the same order;
 * `recordingId` is whose share of the threads they count towards. Throws 503 `SERVICE_UNAVAILABLE` if it takes too
 * long.
 */
export async function separateWords(
  pool: WorkPool,
  recordingId: string,
  texts: readonly string[],
): Promise<string[]> {
  if (lengthOf(texts) <= FEW) return texts.map(spacedStems);
  const signal = AbortSignal.timeout(SECONDS * 1000);
  const work = { caller: recordingId, seconds: SECONDS, signal, accepted: true };
  const separated: string[] = [];
  try {
    for (const batch of batches(texts)) separated.push(...(await pool.run(SEPARATE_WORDS, batch, work)));
  } catch (error) {
    if (signal.aborted || error instanceof WorkLimitError)
      throw new DomainError('SERVICE_UNAVAILABLE', TOO_SLOW, { cause: error });
    throw error;
  }
  return separated;
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

function* batches(texts: readonly string[]): Generator<string[]> {
  let [batch, size]: [string[], number] = [[], 0];
  for (const text of texts) {
    if (size > 0 && size + text.length > BATCH) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(text);
    size += text.length;
  }
  yield batch;
}
