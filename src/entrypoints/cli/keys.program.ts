import type { Command } from 'commander';
import { destructive, group, leaf, limitsKey, maybeOfUser, requireUserOption } from './program-parts.js';
import { onHost, onServerOrHost } from './server/choice.js';

const KEYS = () => import('./commands/keys.commands.js');
const SERVER = () => import('./server/keys.commands.js');

/** Options that name a user: on a server, it is that of the key. */
const USER = ['email', 'id'];

const KEY = ['<key>', 'id of the key, or its first 12 characters as in the log'] as const;

/** `keys ...` */
export function addKeys(cli: Command): void {
  const keys = group(
    cli,
    'keys',
    'Create, list, rotate and revoke API keys; replace the key that the service encrypts with.',
  );
  limitsKey(
    maybeOfUser(
      leaf(
        keys,
        'create',
        'Create an API key, on the host for any user, and print it. It cannot be shown again: only its hash is stored.',
      ),
      'the user (on the host)',
    )
      .requiredOption('--name <name>', 'display name of the key, 1 to 100 characters')
      .option(
        '--organizations <ids>',
        'what the key reaches, with commas between: only these, and nothing personal',
      ),
  ).action(
    onServerOrHost({
      server: async () => (await SERVER()).createKey,
      host: async () => (await KEYS()).createKey,
      hostOnly: USER,
      check: requireUserOption,
    }),
  );
  maybeOfUser(
    leaf(
      keys,
      'list',
      'List API keys, on the host those of any user, newest first, without the keys themselves.',
    ),
    'the user (on the host)',
  )
    .option(
      '--unused <duration>',
      'only keys that still work and have not been used for this long, such as 90d; without --email or --id, of all users; on the host',
    )
    .action(
      onServerOrHost({
        server: async () => (await import('./server/lists.commands.js')).listKeys,
        host: async () => (await import('./commands/lists.commands.js')).listKeys,
        hostOnly: [...USER, 'unused'],
        check: (called) => requireUserOption(called, 'unused'),
      }),
    );
  leaf(
    keys,
    'rotate',
    'Create a key that replaces another, with the same user, name, scopes and expiry, and print it. The other one still works for the overlap.',
  )
    .argument(...KEY)
    .option('--overlap <duration>', 'how long the other key still works, such as 7d or 0m (default: 1d)')
    .action(onHost(async () => (await KEYS()).rotateKey));
  destructive(
    keys,
    'revoke',
    'Revoke an API key, on the host of any user, permanently. It is refused from the next request on.',
  )
    .argument(...KEY)
    .action(
      onServerOrHost({
        server: async () => (await SERVER()).revokeKey,
        host: async () => (await KEYS()).revokeKey,
      }),
    );
  destructive(
    keys,
    'reseal',
    'Encrypt with SEALING_KEY whatever is encrypted with SEALING_KEY_PREVIOUS, which can then be removed from the settings. The service may be running. Can be interrupted and run again.',
  )
    .option('--delete-lost', 'first delete what is encrypted with a key that is lost')
    .action(onHost(async () => (await KEYS()).resealWithCurrentKey));
}
