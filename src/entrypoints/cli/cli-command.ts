import { Command, Help, InvalidArgumentError, Option } from 'commander';
import { DESCRIPTIONS, examplesOf } from './command-texts.js';
import { SCOPE_OPTIONS } from './option-values.js';

export const ORGANIZATION = ['<organization>', 'id of the organization; see orgs list'] as const;

/** What is typed after a command: `<name>`, or `[name]` if it can be left out; what it is; and how it is read. */
type Typed = readonly [name: string, what: string, read?: (value: string) => string];

export const RECORDING = ['<id>', 'id of the recording; see recordings list', identifier] as const;

/** Refuses an id that would turn the path of a request into another. */
export function identifier(value: string): string {
  if (!['', '.', '..'].includes(value.trim())) return value.trim();
  throw new InvalidArgumentError('It must be an id.');
}

export class CliCommand extends Command {
  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** Adds a group of commands, or one without a result of its own. */
  add(name: string, ...typed: readonly Typed[]): CliCommand {
    const path = this.parent ? `${this.name()} ${name}` : name;
    const examples = examplesOf(path);
    const title = examples.length > 1 ? 'Examples' : 'Example';
    const command = this.command(name).description(DESCRIPTIONS.get(path)!);
    for (const [argument, what, read = String] of typed) command.argument(argument, what, read);
    return command.addHelpText('after', ['', `${title}:`, ...examples.map((one) => `  $ ${one}`)].join('\n'));
  }

  leaf(name: string, ...typed: readonly Typed[]): CliCommand {
    return this.add(name, ...typed).option('--json', 'print the result as JSON');
  }

  /** Adds a command that deletes something, perhaps only with a certain option. */
  destructive(name: string, ...typed: readonly Typed[]): CliCommand {
    return this.leaf(name, ...typed).option(
      '--yes',
      'skip the confirmation prompt (never shown without a terminal)',
    );
  }

  /** Adds a command that lists something. */
  list(searched: string, limit?: number): CliCommand {
    return this.leaf('list')
      .option('--search <text>', `only those whose ${searched} contains this text, ignoring case`)
      .limited(limit);
  }

  limited(limit?: number): this {
    return this.addOption(
      new Option('--limit <number>', 'at most this many')
        .argParser(positive)
        .default(limit ?? Infinity, String(limit ?? 'all')),
    );
  }

  /** Lets the command name a user, `who`: by verified address, or by id. */
  maybeOfUser(who: string): this {
    return this.option('--email <email>', `email address of ${who}, if verified; or use --id`).addOption(
      new Option('--id <id>', `id of ${who}`).conflicts('email'),
    );
  }

  /** The same, but the user must be named. */
  ofUser(who: string): this {
    return this.maybeOfUser(who).hook('preAction', (_, called) => requireUserOption(called));
  }

  /** Lets the command say what a new key is limited to; besides `--name`, and `--organizations`. */
  limitsKey(): this {
    return this.option(
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
  }
}

/** For a command that requires a user only sometimes. */
export function requireUserOption(called: Command, unless = ''): void {
  const options = called.opts<Record<string, unknown>>();
  if (['email', 'id', unless].some((name) => options[name] !== undefined)) return;
  called.error("error: required option '--email <email>' or '--id <id>' not specified");
}

const HELP = new Help();

/** Commander marks required arguments in the usage line, but not required options. */
export const describeOption = (option: Option): string =>
  `${HELP.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;

/** What a list of commands says of one; its own `--help` says the rest. */
export const firstSentence = (command: Command): string => command.description().split(/(?<=\.) /)[0] ?? '';

function positive(value: string): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be a positive integer.');
}
