import type { Command } from 'commander';
import { usageError } from '../exit-status.js';
import { notice } from '../output.js';
import { isHostForced } from './forced-host.js';

interface Sides<Arguments extends unknown[]> {
  readonly server: () => Promise<(...args: Arguments) => Promise<void>>;
  readonly host: () => Promise<(...args: Arguments) => Promise<void>>;
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
    const command = given.at(-1) as Command;
    const args = given.slice(0, -1) as unknown as Arguments;
    const url = isHostForced() ? null : await urlOfServer();
    if (url === null) {
      check?.(command);
      return (await host())(...args);
    }
    for (const name of hostOnly) {
      if (command.getOptionValueSource(name) === 'cli')
        throw usageError(
          `--${name}: only for the data of this host; add --host to use that instead of ${url}`,
        );
    }
    if (process.stderr.isTTY) notice(`On ${url}; --host uses the data of this host.`);
    return (await server())(...args);
  };

async function urlOfServer(): Promise<string | null> {
  const { findServer } = await import('./credentials.js');
  return (await findServer())?.url ?? null;
}
