import { quoteForMessage } from '../../lib/text.js';
import type { Violations } from '../../platform/database/database-errors.js';

const MAX_MISTAKES = 1_000;
const MAX_CHARACTERS = 1_000;

/**
 * Errors in a workspace file, each with its path: `recordings[3].folder: no folder "Board" in "Acme"`. They quote the
 * file, which may come from somebody else: control characters, which a terminal would obey, become spaces.
 */
export class WorkspaceError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    const first = mistakes.slice(0, MAX_MISTAKES).map(oneLine);
    const more = mistakes.length - first.length;
    super([...first, ...(more > 0 ? [`and ${more} more errors`] : [])].join('\n'));
    this.mistakes = mistakes;
  }
}

/** The violation of an index of external ids. `at`: where the file gives it; `other`: what else has it. */
export const externalIdTaken = (
  index: string,
  at: string,
  externalId: string | null | undefined,
  other: string,
): Violations => ({
  [index]: () =>
    new WorkspaceError([`${at}: ${quoteForMessage(externalId ?? '')} is that of another ${other}`]),
});

function oneLine(text: string): string {
  const beginning = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}...` : text;
  return beginning.toWellFormed().replace(/\p{C}|[\u2028\u2029]/gu, ' ');
}
