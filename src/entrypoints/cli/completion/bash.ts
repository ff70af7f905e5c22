import { anyCommand, cases, flagOf, valueCases, type Completed } from './tree.js';

/** Where nothing is offered, bash completes names of files. */
export function bashCompletion({ nodes, everywhere }: Completed): string {
  return `# Completion of mrs for bash. Source it, such as in ~/.bashrc.
__mrs_offer() { COMPREPLY=($(compgen -W "$1" -- "\${COMP_WORDS[COMP_CWORD]}")); }
_mrs() {
  local at='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="$at \${COMP_WORDS[i]}"
    case "$word" in
      ${anyCommand(nodes)}) at=$word ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${valueCases(nodes, offer)}
  esac
  case "\${COMP_WORDS[COMP_CWORD]}" in
    -*) case "$at" in
${cases(nodes, ({ options }) => offer([...options, ...everywhere].map(flagOf)))}
    esac ;;
    *) case "$at" in
${cases(nodes, ({ children, choices }) => offer([...children.map((child) => child.name()), ...choices]))}
    esac ;;
  esac
}
complete -o default -F _mrs mrs
`;
}

const offer = (words: readonly string[]): string => `__mrs_offer '${words.join(' ')}'`;
