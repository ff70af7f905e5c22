import type { Completed } from './tree.js';

/** Fish completes names of files besides, except for values of which there are only some. */
export function fishCompletion({ nodes, everywhere }: Completed): string {
  const option = (
    condition: string,
    { name, description, takesValue, choices }: (typeof everywhere)[number],
  ) => {
    const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : '';
    return `complete -c mrs${condition} -l ${name.replace(/^--/, '')}${value} -d '${description}'`;
  };
  const lines = nodes.flatMap(({ path, children, options, choices }) => {
    const exactly = ['-n', `'__mrs_at${path.map((word) => ` ${word}`).join('')}'`].join(' ');
    const within = path.length > 0 ? ` -n '__mrs_in ${path.join(' ')}'` : '';
    return [
      ...children.map(
        ({ name, description }) => `complete -c mrs -f ${exactly} -a ${name} -d '${description}'`,
      ),
      ...choices.map((name) => `complete -c mrs -f ${exactly} -a ${name}`),
      ...options.map((one) => option(within, one)),
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
${[...everywhere.map((one) => option('', one)), ...lines].join('\n')}
`;
}
