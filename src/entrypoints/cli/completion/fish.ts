import type { Option } from 'commander';
import { brief, type Completed } from './tree.js';

/** Fish completes names of files besides, except for values of which there are only some. */
export function fishCompletion({ nodes, everywhere }: Completed): string {
  const lines = nodes.flatMap(({ path, children, options, choices }) => {
    const exactly = `-n '${['__mrs_at', ...path].join(' ')}'`;
    const within = path.length > 0 ? ` -n '__mrs_in ${path.join(' ')}'` : '';
    return [
      ...children.map(
        (one) => `complete -c mrs -f ${exactly} -a ${one.name()} -d '${brief(one.description())}'`,
      ),
      ...choices.map((name) => `complete -c mrs -f ${exactly} -a ${name}`),
      ...options.map((one) => optionLine(within, one)),
    ];
  });
  return `# Completion of mrs for fish. Save it as ~/.config/fish/completions/mrs.fish.
function __mrs_words
  set -l words (commandline -opc)
  string match -v -- '-*' $words[2..-1]
end
function __mrs_at
  test (string join -- ' ' (__mrs_words) '') = (string join -- ' ' $argv '')
end
function __mrs_in
  string match -q -- (string join -- ' ' $argv '*') (string join -- ' ' (__mrs_words) '')
end
${[...everywhere.map((one) => optionLine('', one)), ...lines].join('\n')}
`;
}

function optionLine(condition: string, option: Option): string {
  const { required, optional, argChoices, description } = option;
  const value = argChoices ? ` -x -a '${argChoices.join(' ')}'` : required || optional ? ' -r' : '';
  return `complete -c mrs${condition} -l ${option.name()}${value} -d '${brief(description)}'`;
}
