/** Errors in a workspace file, each with its path: `recordings[3].folder: no folder "Board" in "Acme"`. */
export class WorkspaceError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}
