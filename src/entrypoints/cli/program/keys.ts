import type { Command } from 'commander';
import { destructive, group, leaf, ofUser } from './command.js';

export function addKeys(cli: Command): void {
  const keys = group(cli, 'keys', 'Create, list and revoke API keys; rotate the secrets of the service.');
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
    'rotate-secrets',
    'Replace the generated keys that sign URLs and encrypt the tokens of share links, and encrypt all tokens with the current key; share links keep working, and so do URLs until they expire. Keys in settings are yours to replace: the command says how. The service may be running. Can be interrupted and run again.',
  )
    .option(
      '--discard-previous',
      'after a leak: previous keys end now; media URLs handed out before stop working, and recipients of links with a password enter it again',
    )
    .option(
      '--sealing-key-lost',
      'rotate nothing, but give up the tokens encrypted with a sealing key that is lost, so that the service starts again; their links work, but their addresses cannot be shown again',
    )
    .action(async (options) => (await import('../secrets.commands.js')).rotateSecretsCommand(options));
}
