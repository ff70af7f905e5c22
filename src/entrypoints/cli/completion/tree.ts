import type { Command, Option } from 'commander';

export interface Described {
  readonly name: string;
  readonly description: string;
}

interface Choosable extends Described {
  readonly takesValue: boolean;
  /** Empty if any value is possible. */
  readonly choices: readonly string[];
}

/** A command as completion sees it. */
export interface Node {
  /** The words after `mrs`. */
  readonly path: readonly string[];
  readonly children: readonly Described[];
  readonly options: readonly Choosable[];
  /** What its arguments can be, if that is limited. */
  readonly choices: readonly string[];
}

/** What a script is generated from. */
export interface Completed {
  readonly nodes: readonly Node[];
  /** Options of every command. */
  readonly everywhere: readonly Choosable[];
}

const HELP: Choosable = { name: '--help', description: 'show help', takesValue: false, choices: [] };

/** All commands, each after its group. */
export const completed = (program: Command): Completed => ({
  nodes: nodesOf(program, []).map((node) => (node.path.length > 0 ? node : { ...node, options: [] })),
  everywhere: [...optionsOf(program), HELP],
});

function nodesOf(command: Command, path: readonly string[]): readonly Node[] {
  const node = {
    path,
    children: command.commands.map((child) => ({
      name: child.name(),
      description: brief(child.description()),
    })),
    options: optionsOf(command),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [node, ...command.commands.flatMap((child) => nodesOf(child, [...path, child.name()]))];
}

const optionsOf = ({ options }: Command): readonly Choosable[] => options.map(choosable);

const choosable = ({ long, flags, description, required, optional, argChoices }: Option): Choosable => ({
  name: long ?? flags,
  description: brief(description),
  takesValue: required || optional,
  choices: argChoices ?? [],
});

/** What fits beside a name, without what a shell would have to have quoted. */
const brief = (description: string): string =>
  (description.split(/[.;:]( |$)| \(/)[0] ?? '').replace(/["'`$\\:]/g, '').trim();

export const namesOf = (all: readonly Described[]): readonly string[] => all.map(({ name }) => name);

/** The words of each command, as patterns of `case`. */
export const paths = (nodes: readonly Node[]): readonly string[] =>
  nodes.filter(({ path }) => path.length > 0).map(({ path }) => `' ${path.join(' ')}'`);
