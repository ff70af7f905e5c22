import { anyCommand, brief, cases, flagOf, valueCases, type Completed } from './tree.js';

/** Where nothing is offered, names of files are. */
export function zshCompletion({ nodes, everywhere }: Completed): string {
  return `#compdef mrs
# Completion of mrs for zsh. Save it as _mrs in a folder of fpath, or source it after compinit.
_mrs() {
  local at='' word i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    word="$at $words[i]"
    case "$word" in
      ${anyCommand(nodes)}) at=$word ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${valueCases(nodes, (choices) => (choices.length > 0 ? `compadd -- ${choices.join(' ')}` : '_files'))}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    case "$at" in
${cases(nodes, ({ options }) =>
  items([...options, ...everywhere].map((one) => described(flagOf(one), one.description))),
)}
    esac
  else
    case "$at" in
${cases(nodes, ({ children, choices }) =>
  items([...children.map((one) => described(one.name(), one.description())), ...choices]),
)}
    esac
  fi
  if (( $#items )); then _describe 'mrs' items; else _files; fi
}
if [[ "$funcstack[1]" == _mrs ]]; then _mrs "$@"; else compdef _mrs mrs; fi
`;
}

const described = (name: string, description: string): string => `${name}:${brief(description)}`;

const items = (all: readonly string[]): string => `items=(${all.map((one) => `'${one}'`).join(' ')})`;
