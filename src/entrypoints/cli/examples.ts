/** How the command line is called, in help and documentation. */
export const CALLED = 'npx mrs';

/** One use of every command, shown by its `--help` and, of the first ones, by that of its group. */
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
  'services list': 'services list 019c416a-2000-7a02-8a00-5eed0000b001',
  'services create':
    'services create 019c416a-2000-7a02-8a00-5eed0000b001 --name "CRM sync" --role EDITOR --expires-in 90d',
  'services delete':
    'services delete 019c416a-2000-7a02-8a00-5eed0000b001 019c416a-2000-7a02-8a00-5eed0000a009',
  'keys create': 'keys create --email ada@acme.test --name dashboard --scopes read-only --expires-in 90d',
  'keys list': 'keys list --unused 90d',
  'keys rotate': 'keys rotate mrs_z13kTq9Z --overlap 7d',
  'keys revoke': 'keys revoke mrs_z13kTq9Z',
  'keys reseal': 'keys reseal',
  'recordings list': 'recordings list --email ada@acme.test --status ERROR',
  'recordings upload': 'recordings upload meeting.mp4 --email ada@acme.test --watch',
  'recordings search': 'recordings search "winter routes"',
  'recordings get': 'recordings get 019c416a-2000-7a02-8a00-5eed0000c001',
  'recordings delete': 'recordings delete 019c416a-2000-7a02-8a00-5eed0000c001',
  'recordings retry': 'recordings retry 019c416a-2000-7a02-8a00-5eed0000c001 --watch',
  'recordings transcribe': 'recordings transcribe --missing',
  'recordings watch': 'recordings watch 019c416a-2000-7a02-8a00-5eed0000c001',
  'recordings move':
    'recordings move 019c416a-2000-7a02-8a00-5eed0000c001 --folder 019c416a-2000-7a02-8a00-5eed0000f001',
  'recordings download': 'recordings download 019c416a-2000-7a02-8a00-5eed0000c001',
  'members list': 'members list 019c416a-2000-7a02-8a00-5eed0000b001',
  login: 'login https://meetings.example.com',
  logout: 'logout',
  whoami: 'whoami',
  open: 'open 019c416a-2000-7a02-8a00-5eed0000c001',
  ask: 'ask "When do we ship?"',
  share: 'share 019c416a-2000-7a02-8a00-5eed0000c001 --expires-in 7d',
  'transcript get': 'transcript get 019c416a-2000-7a02-8a00-5eed0000c001',
  'transcript export':
    'transcript export 019c416a-2000-7a02-8a00-5eed0000c001 --format vtt --output meeting.vtt',
  'transcript put': 'transcript put 019c416a-2000-7a02-8a00-5eed0000c001 captions.srt',
  'events tail': 'events tail --types recording.*',
  'webhooks listen': 'webhooks listen --forward http://localhost:4000/hook',
  mcp: 'mcp --url https://meetings.example.com',
  completion: 'source <(npx mrs completion bash)',
  'database url': 'psql "$(npx mrs database url)"',
  backup: 'backup /mnt/backups/monday',
  'backup verify': 'backup verify /mnt/backups/monday',
  restore: 'restore /mnt/backups/monday',
  'audit verify': 'audit verify --organization 019c416a-2000-7a02-8a00-5eed0000b001',
};

const MOST = 3;

/** Examples of a command, or of the first ones in a group, as they are typed. */
export const examplesOf = (command: string): string[] =>
  Object.entries(EXAMPLES)
    .filter(([path]) => path === command || path.startsWith(`${command} `))
    .map(([path, example]) => (example.startsWith(path) ? `${CALLED} ${example}` : example))
    .slice(0, MOST);
