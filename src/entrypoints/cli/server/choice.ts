import type { Command } from 'commander';
import { CommandError, usageError } from '../exit-status.js';
import { notice } from '../output.js';
import { isHostForced } from './forced-host.js';

type Action<Arguments extends unknown[]> = () => Promise<(...args: Arguments) => Promise<void>>;

interface Sides<Arguments extends unknown[]> {
  readonly server: Action<Arguments>;
  readonly host: Action<Arguments>;
  /** Options that only the host has, by their names in Commander. */
  readonly hostOnly?: readonly string[];
  /** What else the host requires. */
  readonly check?: (command: Command) => void;
}

/**
 * The action of a command that works on a server, if there are credentials, and otherwise on the data of the host; there
 * always with `--host`.
 */
export const onServerOrHost =
  <Arguments extends unknown[]>({ server, host, hostOnly = [], check }: Sides<Arguments>) =>
  async (...given: [...Arguments, Command]): Promise<void> => {
    const [args, command] = argumentsOf(given);
    const url = await chosenServer();
    if (url === null) {
      check?.(command);
      return (await host())(...args);
    }
    for (const name of hostOnly)
      if (command.getOptionValueSource(name) === 'cli') throw onlyOfHost(`--${name}`, url);
    if (process.stderr.isTTY) notice(`On ${url}; --host uses the data of this host.`);
    return (await server())(...args);
  };

/**
 * The action of a command that only the host has. It says whose data it uses, and a user who has chosen a server, perhaps
 * long ago, has to say that the host is meant.
 */
export const onHost =
  <Arguments extends unknown[]>(host: Action<Arguments>) =>
  async (...given: [...Arguments, Command]): Promise<void> => {
    const [args, command] = argumentsOf(given);
    const url = await chosenServer();
    if (url !== null) throw onlyOfHost(pathOf(command).join(' '), url);
    const [{ placeOf }, { readSettings }] = await Promise.all([
      import('../existing-database.js'),
      import('../../../platform/config/read-settings.js'),
    ]);
    const settings = readSettings();
    notice(
      `Using the ${settings.databaseUrl === undefined ? 'data folder' : 'database'} ${placeOf(settings)}`,
    );
    return (await host())(...args);
  };

/** Commander passes the command after its arguments and options. */
const argumentsOf = <Arguments extends unknown[]>(
  given: [...Arguments, Command],
): [args: Arguments, command: Command] => [
  given.slice(0, -1) as unknown as Arguments,
  given.at(-1) as Command,
];

/** What is typed after `mrs`. */
const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

const onlyOfHost = (what: string, url: string): CommandError =>
  usageError(`${what}: only for the data of this host; add --host to use that instead of ${url}`);

/** Null if it is the host. */
async function chosenServer(): Promise<string | null> {
  if (isHostForced()) return null;
  const { findServer } = await import('./credentials.js');
  try {
    return (await findServer())?.url ?? null;
  } catch (error) {
    if (error instanceof CommandError)
      throw usageError(`${error.message}\nOr add --host, to use the data of this host`);
    throw error;
  }
}
