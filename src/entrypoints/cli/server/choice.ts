import type { Command } from 'commander';
import { CommandError, usageError } from '../exit-status.js';
import { globalOptions, notice } from '../output.js';

/** Loads a module with actions of this name only when one runs, so that help and usage errors are instant. */
type Load<Name extends string> = () => Promise<Readonly<Record<Name, (...args: never[]) => Promise<void>>>>;

/** Options that only the host has, by their names in Commander: on a server, the user is that of the key. */
const HOST_OPTIONS = ['email', 'id', 'unused'];

/** The action of a command for a server if there are credentials, else for the host. `check`: what that needs. */
export const onServerOrHost =
  <Name extends string>(
    server: Load<Name>,
    host: Load<Name>,
    name: Name,
    check?: (command: Command) => void,
  ) =>
  async (...given: unknown[]): Promise<void> => {
    const command = commandOf(given);
    const url = await chosenServer();
    if (url === null) {
      check?.(command);
      return start(host, name, given);
    }
    for (const option of HOST_OPTIONS)
      if (command.getOptionValueSource(option) === 'cli') throw onlyOfHost(`--${option}`, url);
    if (process.stderr.isTTY) notice(`On ${url}; --host uses the data of this host.`);
    return start(server, name, given);
  };

/** The action of a command only for the host: who has logged in to a server has to say that the host is meant. */
export const onHost =
  <Name extends string>(host: Load<Name>, name: Name) =>
  async (...given: unknown[]): Promise<void> => {
    const url = await chosenServer();
    if (url !== null) throw onlyOfHost(pathOf(commandOf(given)).join(' '), url);
    const [{ placeOf }, { readSettings }] = await Promise.all([
      import('../host.js'),
      import('../../../platform/config/read-settings.js'),
    ]);
    const settings = readSettings();
    notice(
      `Using the ${settings.databaseUrl === undefined ? 'data folder' : 'database'} ${placeOf(settings)}`,
    );
    return start(host, name, given);
  };

/** The action of any other command: without data, or on a server only. */
export const lazily =
  <Name extends string>(load: Load<Name>, name: Name) =>
  (...given: unknown[]): Promise<void> =>
    start(load, name, given);

async function start<Name extends string>(load: Load<Name>, name: Name, given: unknown[]): Promise<void> {
  const actions = await load();
  return actions[name](...(given as never[]));
}

/** Commander passes the command after its arguments and options. */
const commandOf = (given: readonly unknown[]): Command => given.at(-1) as Command;

/** What is typed after `mrs`. */
const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

const onlyOfHost = (what: string, url: string): CommandError =>
  usageError(`${what}: only for the data of this host; add --host to use that instead of ${url}`);

/** Null if it is the host. */
async function chosenServer(): Promise<string | null> {
  if (globalOptions.host) return null;
  const { findServer } = await import('./credentials.js');
  try {
    return (await findServer())?.url ?? null;
  } catch (error) {
    if (error instanceof CommandError)
      throw usageError(`${error.message}\nOr add --host, to use the data of this host`);
    throw error;
  }
}
