import { examplesOf } from './examples.js';
import { SCOPE_OPTIONS } from './option-values.js';
import { Help, InvalidArgumentError, Option, type Command } from 'commander';

export const ORGANIZATION = ['<organization>', 'id of the organization; see orgs list'] as const;

export const RECORDING = ['<id>', 'id of the recording; see recordings list', identifier] as const;

/** Refuses what would make the path of a request that of another one. */
function identifier(value: string): string {
  if (!['', '.', '..'].includes(value.trim())) return value.trim();
  throw new InvalidArgumentError('It must be an id.');
}

/** A command with subcommands. */
export function group(parent: Command, name: string, description: string): Command {
  return withExamples(parent.command(name).description(description).exitOverride(), name);
}

export const leaf = (parent: Command, name: string, description: string): Command =>
  withoutResult(parent, name, description).option('--json', 'print the result as JSON');

/** A command that runs until it is stopped. */
export function withoutResult(parent: Command, name: string, description: string): Command {
  const path = parent.parent ? `${parent.name()} ${name}` : name;
  return withExamples(parent.command(name).description(description).exitOverride(), path);
}

function withExamples(command: Command, path: string): Command {
  const examples = examplesOf(path);
  const title = examples.length > 1 ? 'Examples' : 'Example';
  return command.addHelpText('after', ['', `${title}:`, ...examples.map((one) => `  $ ${one}`)].join('\n'));
}

/** A command that deletes something, perhaps only with a certain option. */
export function destructive(parent: Command, name: string, description: string): Command {
  return leaf(parent, name, description).option(
    '--yes',
    'skip the confirmation prompt (never shown without a terminal)',
  );
}

/** Lets a command name a user, `who`: by verified address, or by id. */
export const maybeOfUser = (command: Command, who: string): Command =>
  command
    .option('--email <email>', `email address of ${who}, if verified; or use --id`)
    .addOption(new Option('--id <id>', `id of ${who}`).conflicts('email'));

/** The same, as required, unless an option is given that takes those of all users. */
export const ofUser = (command: Command, who: string): Command =>
  maybeOfUser(command, who).hook('preAction', (_, called) => requireUserOption(called));

/** For a command that requires it only sometimes. */
export function requireUserOption(called: Command, unless = ''): void {
  const options = called.opts<Record<string, unknown>>();
  if (['email', 'id', unless].some((name) => options[name] !== undefined)) return;
  called.error("error: required option '--email <email>' or '--id <id>' not specified");
}

/** Lets a command say what a new key is limited to; besides `--name`, and `--organizations`. */
export const limitsKey = (command: Command): Command =>
  command
    .option(
      '--scopes <names>',
      `what the key may do, with commas between: ${SCOPE_OPTIONS.join(', ')} (default: full)`,
    )
    .option(
      '--folders <ids>',
      'recordings that the key reaches, with commas between: only those in these folders',
    )
    .option(
      '--addresses <ranges>',
      'addresses from which the key works, in CIDR notation, with commas between',
    )
    .option('--expires-at <time>', 'ISO 8601 date or date-time at which the key expires (default: never)')
    .addOption(
      new Option('--expires-in <duration>', 'the same, from now, such as 90d, 12h or 30m').conflicts(
        'expiresAt',
      ),
    );

/** A command that lists something. */
export function list(parent: Command, description: string, searched: string, limit = 'all'): Command {
  return limited(
    leaf(parent, 'list', description).option(
      '--search <text>',
      `only those whose ${searched} contains this text, ignoring case`,
    ),
    limit,
  );
}

export const limited = (command: Command, limit: string): Command =>
  command.option('--limit <number>', `at most this many (default: ${limit})`, positive);

const HELP = new Help();

/** Commander marks required arguments in the usage line, but not required options. */
export const describeOption = (option: Option): string =>
  `${HELP.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;

/** Of a command, for the list that it is in; its own `--help` has the rest. */
export const firstSentence = (command: Command): string => command.description().split(/(?<=\.) /)[0] ?? '';

function positive(value: string): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be a positive integer.');
}
