import { Option, type Command } from 'commander';

/** A command as completion sees it. */
interface Node {
  /** The words after `mrs`. */
  readonly path: readonly string[];
  readonly children: readonly Command[];
  readonly options: readonly Option[];
  /** What its arguments can be, if that is limited. */
  readonly choices: readonly string[];
}

/** What a script is generated from. */
export interface Completed {
  /** All commands, each after its group. */
  readonly nodes: readonly Node[];
  /** Options of every command. */
  readonly everywhere: readonly Option[];
}

export const completed = (program: Command): Completed => ({
  nodes: nodesOf(program, []),
  everywhere: [...program.options, new Option('--help', 'show help')],
});

function nodesOf(command: Command, path: readonly string[]): readonly Node[] {
  const { commands: children, registeredArguments } = command;
  const options = path.length > 0 ? command.options : [];
  const choices = registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const node = { path, children, options, choices };
  return [node, ...children.flatMap((child) => nodesOf(child, [...path, child.name()]))];
}

/** As it is typed. */
export const flagOf = (option: Option): string => `--${option.name()}`;

/** What fits beside a name, without what a shell would have to have quoted. */
export const brief = (description: string): string =>
  (description.split(/[.;:]( |$)| \(/)[0] ?? '').replace(/["'`$\\:]/g, '').trim();

/** The words of a command, as a pattern of `case` in bash and zsh. */
const pattern = (words: readonly string[]): string => `'${words.map((word) => ` ${word}`).join('')}'`;

export const anyCommand = (nodes: readonly Node[]): string =>
  nodes.flatMap(({ path }) => (path.length > 0 ? pattern(path) : [])).join(' | ');

/** A case for each command. */
export const cases = (nodes: readonly Node[], offer: (node: Node) => string): string =>
  nodes.map((node) => `      ${pattern(node.path)}) ${offer(node)} ;;`).join('\n');

/** A case for each option with a value; there are no choices if any is possible. */
export const valueCases = (nodes: readonly Node[], offer: (choices: readonly string[]) => string): string =>
  nodes
    .flatMap(({ path, options }) =>
      options
        .filter(({ required, optional }) => required || optional)
        .map((one) => `    ${pattern([...path, flagOf(one)])}) ${offer(one.argChoices ?? [])}; return ;;`),
    )
    .join('\n');
