/** How the command line is called, in help and documentation. */
export const CALLED = 'npx mrs';

/** One use of every command, shown by its `--help`. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  status: 'status',
  import: 'import workspace.json',
  'users list': 'users list --search acme.test',
  'users create': 'users create --email ada@acme.test --name Ada --plan PRO',
  'users update': 'users update --email ada@acme.test --plan FREE',
  'users delete': 'users delete --email ada@acme.test --new-owner grace@acme.test',
  'orgs list': 'orgs list',
  'orgs create': 'orgs create --name Acme --owner ada@acme.test',
  'orgs update': 'orgs update 019c416a-2000-7a02-8a00-5eed0000b001 --plan ENTERPRISE',
  'orgs delete': 'orgs delete 019c416a-2000-7a02-8a00-5eed0000b001 --recordings delete',
  'keys create': 'keys create --email ada@acme.test --name laptop --expires-at 2030-01-01',
  'keys list': 'keys list --email ada@acme.test',
  'keys revoke': 'keys revoke mrs_3kTq9ZbW',
  'keys reseal': 'keys reseal',
  'recordings list': 'recordings list --email ada@acme.test --status ERROR',
  'recordings get': 'recordings get 019c416a-2000-7a02-8a00-5eed0000c001',
  'recordings search': 'recordings search "winter routes"',
  'recordings delete': 'recordings delete 019c416a-2000-7a02-8a00-5eed0000c001',
  'recordings upload': 'recordings upload meeting.mp4 --email ada@acme.test --watch',
  'recordings retry': 'recordings retry 019c416a-2000-7a02-8a00-5eed0000c001 --watch',
  'recordings transcribe': 'recordings transcribe --missing',
  'database url': 'psql "$(npx mrs database url)"',
  backup: 'backup /mnt/backups/monday',
  restore: 'restore /mnt/backups/monday',
  'audit verify': 'audit verify --organization 019c416a-2000-7a02-8a00-5eed0000b001',
};

/** The example of a command, as it is typed. */
export function exampleOf(command: string): string | undefined {
  const example = EXAMPLES[command];
  return example?.startsWith(command) ? `${CALLED} ${example}` : example;
}
