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

function oneLine(text: string): string {
  const beginning = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}...` : text;
  return beginning.toWellFormed().replace(/\p{C}|[\u2028\u2029]/gu, ' ');
}
