import { namesOf, paths, type Completed, type Node } from './tree.js';

const pattern = (words: readonly string[]): string => `'${words.map((word) => ` ${word}`).join('')}'`;

/** Where nothing is offered, bash completes names of files. */
export function bashCompletion({ nodes, everywhere }: Completed): string {
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ name, choices }) =>
          `    ${pattern([...path, name])}) __mrs_offer '${choices.join(' ')}'; return ;;`,
      ),
  );
  const words = (of: (node: Node) => readonly string[]): string =>
    nodes.map((node) => `      ${pattern(node.path)}) __mrs_offer '${of(node).join(' ')}' ;;`).join('\n');
  return `# Completion of mrs for bash. Source it, such as in ~/.bashrc.
__mrs_offer() { COMPREPLY=($(compgen -W "$1" -- "\${COMP_WORDS[COMP_CWORD]}")); }
_mrs() {
  local at='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="$at \${COMP_WORDS[i]}"
    case "$word" in
      ${paths(nodes).join(' | ')}) at=$word ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  esac
  case "\${COMP_WORDS[COMP_CWORD]}" in
    -*) case "$at" in
${words(({ options }) => namesOf([...options, ...everywhere]))}
    esac ;;
    *) case "$at" in
${words(({ children, choices }) => [...namesOf(children), ...choices])}
    esac ;;
  esac
}
complete -o default -F _mrs mrs
`;
}
