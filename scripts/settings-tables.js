const MARKS = ['<!-- settings -->', '<!-- /settings -->'];

/**
 * The settings of `.env.example` by their headings; each has a description, and its default or an example.
 * @returns {{ heading: string, settings: { name: string, description: string, value: string }[] }[]}
 */
export function settingsIn(example) {
  return example
    .split(/^## /m)
    .slice(1)
    .map((group) => {
      const [, heading, rest] = /^(.*)\n([^]*)$/.exec(group);
      const settings = [...rest.matchAll(/^# (.*)\n#(\w+)=(.*)$/gm)];
      return {
        heading,
        settings: settings.map(([, description, name, value]) => ({ description, name, value })),
      };
    });
}

/** The default of a setting; undefined if it has none. */
export function defaultOf(schema) {
  const { data } = schema.safeParse(undefined);
  return data === undefined ? undefined : String(data);
}

/** Replaces the settings between their marks in a text. `shape`: their schemas. */
export function withSettings(text, example, shape) {
  const [before, rest] = text.split(MARKS[0]);
  const after = rest.split(MARKS[1])[1];
  const groups = settingsIn(example);
  const contents = groups.map(
    ({ heading }) => `[${heading}](#${heading.toLowerCase().replaceAll(' ', '-')})`,
  );
  const tables = groups.map(({ heading, settings }) =>
    [
      `## ${heading}\n`,
      '| Setting | Default | Description |',
      '|---|---|---|',
      ...settings.map(({ name, description }) => {
        const preset = shape[name] && defaultOf(shape[name]);
        const file = shape[name]?.meta()?.secret ? ` Or in a file: \`${name}_FILE\`.` : '';
        return `| \`${name}\` | ${preset === undefined ? '' : `\`${preset}\``} | ${description}${file} |`;
      }),
    ].join('\n'),
  );
  return `${before}${MARKS[0]}\n${[contents.join(' · '), ...tables].join('\n\n')}\n${MARKS[1]}${after}`;
}
