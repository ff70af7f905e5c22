/** Options of every command. */
interface GlobalOptions {
  /** Only results, questions and errors are printed. */
  readonly quiet?: boolean;
  /** The data of this host are used, whatever server there is a key for. */
  readonly host?: boolean;
}

/** Those of the command that runs. */
export let globalOptions: GlobalOptions = {};

export function setGlobalOptions(given: GlobalOptions): void {
  globalOptions = given;
}
