/** What an API key can be limited to, and what each permits: for the API document and the command line. */
export const SCOPES = {
  'recordings:read': 'List, search and read recordings, with their media and summaries',
  'recordings:write': 'Create, update and move recordings, and upload their media',
  'recordings:delete': 'Delete recordings',
  'transcripts:read': 'Read, search and download transcripts',
  'transcripts:write': 'Transcribe recordings, and import, correct and restore transcripts',
  'summaries:write': 'Generate, import and restore summaries, and change their action items',
  questions: 'Ask questions about recordings',
  exports: 'Export what the API key may read, as files',
  'shares:read':
    'List share links; as their URLs open recordings, only with `recordings:read` and `transcripts:read`',
  'shares:write':
    'Create, change and revoke share links; other than to revoke them, only with `recordings:read` and `transcripts:read`',
  'organizations:read': 'Read organizations, their members, service accounts, folders and invitations',
  'organizations:manage':
    'Create and join organizations, and manage their members, service accounts, folders and invitations',
  'profile:read': 'Read the user and their quotas',
  'profile:write': 'Change and delete the user',
  'keys:manage': "List, create, narrow, rotate and revoke the user's API keys, and those of service accounts",
  'tokens:create': 'Create browser tokens, which may do part of what the API key may',
  'webhooks:manage':
    'Read, test and delete webhooks; with the scopes of what they receive, create and change them',
  'events:read': 'Read events, as a list or a stream',
  'audit:read': 'Read audit logs',
  'holds:manage': 'Place, read and lift legal holds',
  'directory:manage':
    'Keep the people and groups of one organization as an identity provider says (SCIM), for its owners and service accounts',
  'users:manage':
    'Create, read, change and delete users who are not operators, create API keys for them and make them members, for operators',
  operator: 'Manage all users and the plans of organizations, for operators; contains `users:manage`',
} as const satisfies Readonly<Record<string, string>>;

export type Scope = keyof typeof SCOPES;

/** What browser tokens may do: nothing that lasts longer than they do, such as a share link, a key or a webhook. */
export const BROWSER_SCOPES = [
  'recordings:read',
  'recordings:write',
  'transcripts:read',
  'transcripts:write',
  'summaries:write',
  'questions',
] as const satisfies readonly Scope[];

/** Whoever is given the URL of a share link can read what it opens. */
const OPENED_BY_LINKS = ['recordings:read', 'transcripts:read'] as const;
export const TO_READ_LINKS = ['shares:read', ...OPENED_BY_LINKS] as const satisfies readonly Scope[];
export const TO_SHARE = ['shares:write', ...OPENED_BY_LINKS] as const satisfies readonly Scope[];

export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

/** With which a client would make itself something that outlives its connection, or act for all. */
const NOT_FOR_CLIENTS = [
  'profile:write',
  'keys:manage',
  'tokens:create',
  'directory:manage',
  'holds:manage',
  'users:manage',
  'operator',
] as const satisfies readonly Scope[];
export type ClientScope = Exclude<Scope, (typeof NOT_FOR_CLIENTS)[number]>;

/** What a key that manages users can let the users do: all that needs no operator. */
export const USER_SCOPES = SCOPE_NAMES.filter((name) => name !== 'users:manage' && name !== 'operator');

/** What a user can let an OAuth client do. */
export const CLIENT_SCOPES = SCOPE_NAMES.filter(
  (name): name is ClientScope => !(NOT_FOR_CLIENTS as readonly Scope[]).includes(name),
);

/** With these, a language model can answer most questions. It can use more with more. */
export const LEAST_SCOPES: readonly Scope[] = [
  'recordings:read',
  'transcripts:read',
  'questions',
  'shares:read',
];

/** The scopes of an API key; null: not limited, as a key of the contract is. */
export type KeyScopes = readonly Scope[] | null;

/** Names that stand for several scopes where a key is created; `null`: for all, also those that are added later. */
export const SCOPE_PRESETS: Readonly<Record<string, KeyScopes>> = {
  'read-only': SCOPE_NAMES.filter((name) => name.endsWith(':read')),
  full: null,
};

/** What a scope or a preset stands for. */
export const presetOf = (name: string): KeyScopes =>
  SCOPE_PRESETS[name] === undefined ? [name as Scope] : SCOPE_PRESETS[name];

/** `operator` contains `users:manage`. */
export const hasScope = (scopes: KeyScopes, scope: Scope): boolean =>
  scopes === null || scopes.includes(scope) || (scope === 'users:manage' && scopes.includes('operator'));

export const hasScopes = (scopes: KeyScopes, required: readonly Scope[]): boolean =>
  required.every((scope) => hasScope(scopes, scope));
