import { spacedStems } from '../../../lib/language/dense-words.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';

/** Texts with spaces between their words. */
export const SEPARATE_WORDS: ThreadTask<readonly string[], string[]> = { module: import.meta.url };

export default (texts: readonly string[]): string[] => texts.map(spacedStems);
