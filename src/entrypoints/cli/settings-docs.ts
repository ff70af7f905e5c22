import { SETTINGS_SCHEMA } from '../../platform/config/settings.schema.js';

interface Described {
  readonly name: string;
  readonly description: string;
  readonly fallback: string | undefined;
  readonly example: string | undefined;
}

const MARKS = ['<!-- settings -->', '<!-- /settings -->'] as const;

/** `.env.example`: every setting, commented out at its default or an example. */
export function envExample(): string {
  const blocks = settings().map(
    ({ name, description, fallback, example }) => `# ${description}\n#${name}=${fallback ?? example ?? ''}\n`,
  );
  return `# Settings of the service; copy to .env. Written by: npm run settings\n\n${blocks.join('\n')}`;
}

/** A text with the settings' table between its marks written anew. */
export function withSettingsTable(text: string): string {
  const [before = '', rest] = text.split(MARKS[0]);
  const after = rest?.split(MARKS[1])[1];
  if (after === undefined) throw new Error(`The text has no ${MARKS.join(' ... ')}`);
  const rows = settings().map(
    ({ name, description, fallback }) =>
      `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${description} |`,
  );
  const table = ['| Setting | Default | What it is |', '|---|---|---|', ...rows].join('\n');
  return `${before}${MARKS[0]}\n${table}\n${MARKS[1]}${after}`;
}

function settings(): Described[] {
  return Object.entries(SETTINGS_SCHEMA.shape).map(([name, schema]) => {
    const { description, example } = schema.meta() ?? {};
    if (!description) throw new Error(`${name} has no description`);
    const parsed = schema.safeParse(undefined);
    const fallback = parsed.success && parsed.data !== undefined ? String(parsed.data) : undefined;
    return { name, description, fallback, example: example === undefined ? undefined : String(example) };
  });
}
