import { paths, type Completed, type Described, type Node } from './tree.js';

const pattern = (words: readonly string[]): string => `'${words.map((word) => ` ${word}`).join('')}'`;

/** Where nothing is offered, names of files are. */
export function zshCompletion({ nodes, everywhere }: Completed): string {
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices }) => {
        const offer = choices.length > 0 ? `compadd -- ${choices.join(' ')}` : '_files';
        return `    ${pattern([...path, name])}) ${offer}; return ;;`;
      }),
  );
  const words = (of: (node: Node) => readonly Described[]): string =>
    nodes.map((node) => `      ${pattern(node.path)}) items=(${items(of(node))}) ;;`).join('\n');
  return `#compdef mrs
# Completion of mrs for zsh. Save it as _mrs in a folder of fpath, or source it after compinit.
_mrs() {
  local at='' word i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    word="$at $words[i]"
    case "$word" in
      ${paths(nodes).join(' | ')}) at=$word ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${values.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    case "$at" in
${words(({ options }) => [...options, ...everywhere])}
    esac
  else
    case "$at" in
${words(({ children, choices }) => [...children, ...choices.map((name) => ({ name, description: '' }))])}
    esac
  fi
  if (( $#items )); then _describe 'mrs' items; else _files; fi
}
if [[ "$funcstack[1]" == _mrs ]]; then _mrs "$@"; else compdef _mrs mrs; fi
`;
}

const items = (all: readonly Described[]): string =>
  all.map(({ name, description }) => `'${name}${description && `:${description}`}'`).join(' ');
