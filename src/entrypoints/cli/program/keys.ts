import type { Command } from 'commander';
import { destructive, group, leaf, ofUser } from './command.js';

export function addKeys(cli: Command): void {
  const keys = group(
    cli,
    'keys',
    'Create, list and revoke API keys; replace the key that the service encrypts with.',
  );
  ofUser(
    leaf(
      keys,
      'create',
      'Create an API key for a user and print it. It cannot be shown again: only its hash is stored.',
    ),
    'the user',
  )
    .requiredOption('--name <name>', 'display name of the key, 1 to 100 characters')
    .option('--expires-at <time>', 'ISO 8601 date or date-time at which the key expires (default: never)')
    .action(async (options) => (await import('../keys.commands.js')).createKey(options));
  ofUser(
    leaf(keys, 'list', 'List the API keys of a user, newest first, without the keys themselves.'),
    'the user',
  ).action(async (options) => (await import('../keys.commands.js')).listKeys(options));
  destructive(
    keys,
    'revoke',
    'Revoke an API key of any user, permanently. It is refused from the next request on.',
  )
    .argument('<key>', 'id of the key, or its first 12 characters as in the log')
    .action(async (key, options) => (await import('../keys.commands.js')).revokeKey(key, options));
  destructive(
    keys,
    'reseal',
    'Encrypt with SEALING_KEY whatever is encrypted with SEALING_KEY_PREVIOUS, which can then be removed from the settings. The service may be running. Can be interrupted and run again.',
  )
    .option('--delete-lost', 'first delete what is encrypted with a key that is lost')
    .action(async (options) => (await import('../keys.commands.js')).resealWithCurrentKey(options));
}
