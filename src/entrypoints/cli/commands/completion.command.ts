import { Option, type Command } from 'commander';

type Offered = readonly [word: string, description: string];

/** Each script asks for what to offer with `completion SHELL -- WORDS`; where that is nothing, it offers names of files. */
const SHELLS = {
  bash: {
    script: `# Completion of mrs for bash. Source it, such as in ~/.bashrc.
_mrs() {
  local IFS=$'\\n'
  COMPREPLY=($(mrs completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _mrs mrs
`,
    line: ([word]) => word,
  },
  zsh: {
    script: `#compdef mrs
# Completion of mrs for zsh. Save it as _mrs in a folder of fpath, or source it after compinit.
_mrs() {
  local -a items
  items=("\${(@f)$(mrs completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$items" ]]; then _describe 'mrs' items; else _files; fi
}
if [[ "$funcstack[1]" == _mrs ]]; then _mrs "$@"; else compdef _mrs mrs; fi
`,
    line: ([word, description]) => `${word}:${description}`,
  },
  fish: {
    script: `# Completion of mrs for fish. Save it as ~/.config/fish/completions/mrs.fish.
function __mrs
  set -l word (commandline -ct)
  set -l items (mrs completion fish -- (commandline -opc)[2..-1] "$word" 2>/dev/null)
  if set -q items[1]
    printf '%s\\n' $items
  else
    __fish_complete_path "$word"
  end
end
complete -c mrs -f -a '(__mrs)'
`,
    line: ([word, description]) => `${word}\t${description}`,
  },
} satisfies Readonly<
  Record<string, { readonly script: string; readonly line: (offered: Offered) => string }>
>;

/** `completion SHELL`: the script, or what it offers for the last of these words. */
export async function complete(
  shell: keyof typeof SHELLS,
  words: readonly string[],
  _options: object,
  { parent }: Command,
): Promise<void> {
  const { script, line } = SHELLS[shell];
  const text =
    words.length > 0
      ? offeredFor(parent!, words)
          .map((one) => `${line(one)}\n`)
          .join('')
      : script;
  process.stdout.write(text);
}

function offeredFor(program: Command, words: readonly string[]): Offered[] {
  const [typed, before] = [words.at(-1) ?? '', words.slice(0, -1)];
  const command = before.reduce(
    (at, word) => at.commands.find((child) => child.name() === word) ?? at,
    program,
  );
  const options = [...new Set([...command.options, ...program.options]), new Option('--help', 'show help')];
  const valued = options.find(
    ({ long, required, optional }) => long === before.at(-1) && (required || optional),
  );
  const choices = (valued ? [valued] : command.registeredArguments).flatMap(
    ({ argChoices }) => argChoices ?? [],
  );
  const offered: Offered[] = choices.map((choice) => [choice, '']);
  if (!valued && typed.startsWith('-'))
    offered.push(...options.map(({ long, description }): Offered => [long!, brief(description)]));
  else if (!valued)
    offered.push(...command.commands.map((child): Offered => [child.name(), brief(child.description())]));
  return offered.filter(([word]) => word.startsWith(typed));
}

/** What fits beside a word. */
const brief = (description: string): string => (description.split(/[.;:]( |$)| \(/)[0] ?? '').trim();
