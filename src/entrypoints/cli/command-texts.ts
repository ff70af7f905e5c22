import { LIMITS } from '../../contract/limits.js';

/** How the command line is called, in help and documentation. */
export const CALLED = 'npx mrs';

/**
 * Every command, a line each: what it does and, behind a bar, one use of it: what follows the command, or the whole line.
 * Its `--help` shows that, as does that of its group for the first ones.
 */
const COMMANDS = `
status: Show what runs, where, in which versions, how full the disk is, what waits in the queue, and what is wrong; exit status 1 if anything is wrong. Works even when the service is not running. |
dev: Start an empty, throw-away service on a free port of this computer, and print its address and an API key; with --json, in one line. It runs until Ctrl-C, or until the process that started it ends, and leaves nothing behind. For trying out, and for tests. | --set AUTO_TRANSCRIBE=false
jobs: List, show, retry and drop the jobs of the queue.
jobs list: List jobs that are not done, in the order in which they are due, with their last error. | --state failed
jobs show: Show one job: what it is to do, its attempts and last error, and the request that caused it. | 4711
jobs retry: Make a job due now, with all its attempts, also if it had used them up; or all that have, with --failed. | --failed --kind media.tidy
jobs drop: Remove a job that is not running, as if its last attempt had failed. What it was to do is not done. | 4711
trace: Show what happened to a request, a recording or a user, in order, the newest if there is too much: changes, attempts at webhooks, jobs that are not done, and lines of the log if it is given. | 019c416a-2000-7a02-8a00-5eed0000c001 --log service.log
import: Import a workspace file: users, organizations, recordings with media, transcripts and summaries. All or nothing. What differs from existing entries is listed and left as it is; running it twice changes nothing. If there is no database yet, it is created, and standard error says where. | workspace.json
users: List, create, change and delete users, and sign them in.
users list: List all users, newest first. | --search acme.test
users create: Create a user and print their id. If there is no database yet, it is created, and standard error says where. | --email ada@acme.test --name Ada --plan PRO
users update: Change a user, effective with their next request. | --email ada@acme.test --plan FREE
users sign-in-link: Print a link that signs a person in, in any browser, once, within ${LIMITS.signInLinkMinutes} minutes. Whoever has it is that person. | --email ada@acme.test
users delete: Delete a user with their personal recordings and share links. Recordings of organizations are kept and get another owner. API keys are kept, but rejected with USER_NOT_FOUND. | --email ada@acme.test --new-owner grace@acme.test
users erase: Erase a person from all organizations and personal recordings: what they own, said, and are named by. Shows first what that is, and which texts have to be edited by hand; prints the receipt, to be kept. They need not be a user. | --email ada@acme.test --speaker-name Ada
orgs: List, create, change and delete organizations.
orgs list: List organizations, by name: on a server those of the user, on the host all. |
orgs create: Create an organization and print its id. | --name Acme --owner ada@acme.test
orgs update: Change an organization, effective with the next request of its members. | 019c416a-2000-7a02-8a00-5eed0000b001 --plan ENTERPRISE
orgs delete: Delete an organization with its memberships and folders. Refused while it has recordings, unless --recordings delete is used. | 019c416a-2000-7a02-8a00-5eed0000b001 --recordings delete
services: List, create and delete service accounts of organizations.
services list: List the service accounts of an organization, by name. | 019c416a-2000-7a02-8a00-5eed0000b001
services create: Create a service account with a key, and print the key. It cannot be shown again: only its hash is stored. The key reaches the organization only; "keys create --id" creates more of them. | 019c416a-2000-7a02-8a00-5eed0000b001 --name "CRM sync" --role EDITOR --expires-in 90d
services delete: Delete a service account. Its keys are refused from the next request on; its recordings stay with the organization and get another owner. | 019c416a-2000-7a02-8a00-5eed0000b001 019c416a-2000-7a02-8a00-5eed0000a009
keys: Create, list, rotate and revoke API keys; replace the key that the service encrypts with.
keys create: Create an API key, on the host for any user, and print it. It cannot be shown again: only its hash is stored. | --email ada@acme.test --name dashboard --scopes read-only --expires-in 90d
keys list: List API keys, on the host those of any user, newest first, without the keys themselves. | --unused 90d
keys rotate: Create a key that replaces another, with the same user, name, scopes and expiry, and print it. The other one still works for the overlap. | mrs_z13kTq9Z --overlap 7d
keys revoke: Revoke an API key, on the host of any user, permanently. It is refused from the next request on. | mrs_z13kTq9Z
keys reseal: Encrypt with SEALING_KEY whatever is encrypted with SEALING_KEY_PREVIOUS, and the keys of media with CONTENT_KEY, so that the previous ones can be removed from the settings. The service may be running. Can be interrupted and run again. |
recordings: List, show, search, upload and delete recordings: on a server those of the user, on the host of anyone. Retry failed ones, and start transcriptions.
recordings list: List recordings, newest first. | --email ada@acme.test --status ERROR
recordings upload: Upload a file as a new recording and print its id. A worker packages it. A file that is not audio or video is refused, and leaves no recording. | meeting.mp4 --email ada@acme.test --watch
recordings search: Search titles, notes, summaries and transcripts, best match first, with a passage of each. | "winter routes"
recordings get: Show one recording: its status and why, owner, organization, length and size. | 019c416a-2000-7a02-8a00-5eed0000c001
recordings delete: Delete a recording with its media, transcript, summary and share links. | 019c416a-2000-7a02-8a00-5eed0000c001
recordings retry: Retry packaging a recording that is in ERROR or has no HLS, or moving one in MIGRATING. | 019c416a-2000-7a02-8a00-5eed0000c001 --watch
recordings transcribe: Start a transcription of one playable recording, the first one or a new one; with --missing, of all that have no transcript, as far as the plans and feature flags of their owners allow. | --missing
recordings watch: On a server: show progress until a recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR. | 019c416a-2000-7a02-8a00-5eed0000c001
recordings move: On a server: move a recording to an organization or folder, or back to personal recordings. Its share links are deleted, unless it stays in its organization. | 019c416a-2000-7a02-8a00-5eed0000c001 --folder 019c416a-2000-7a02-8a00-5eed0000f001
recordings download: On a server: download the media of a recording. A download that was interrupted continues where it was when it is started again. | 019c416a-2000-7a02-8a00-5eed0000c001
members: List members of organizations. On a server.
members list: List the members of an organization. | 019c416a-2000-7a02-8a00-5eed0000b001
login: Log in to a server with an API key, which is asked for on a terminal and otherwise read from standard input, and checked. MRS_URL and MRS_API_KEY in the environment take precedence. | https://meetings.example.com
logout: Remove the API key of login from this computer. |
whoami: Show which server is used, as which user, in which organizations, and what the API key may do. On a server. |
open: Print the address at which a browser shows a recording, and on a terminal open it: the share page, if there is a link without a password, otherwise the video, whose address expires. On a server. | 019c416a-2000-7a02-8a00-5eed0000c001
ask: Ask a question about what was said, and print the answer with the passages that support it. On a server. | "When do we ship?"
share: Create a share link to a recording and print it. On a server. | 019c416a-2000-7a02-8a00-5eed0000c001 --expires-in 7d
transcript: Read, export and import transcripts. On a server.
transcript get: Print a transcript, a line for each segment with its time and speaker. | 019c416a-2000-7a02-8a00-5eed0000c001
transcript export: Export a transcript as captions, text or JSON. | 019c416a-2000-7a02-8a00-5eed0000c001 --format vtt --output meeting.vtt
transcript put: Replace a transcript with a file in any format of docs/transcripts.md, which is recognized by its content. The transcript before remains among the revisions. | 019c416a-2000-7a02-8a00-5eed0000c001 captions.srt
events: Follow what happens. On a server.
events tail: Print events as they happen, until Ctrl-C: a line for each on a terminal, otherwise and with --json a line of JSON. | --types recording.*
webhooks: Develop receivers of webhooks, and send them again what they missed. On a server.
webhooks listen: Send events to a URL that only this computer reaches, as they happen and until Ctrl-C, signed as those of webhooks are. Each is sent once; the server needs no webhook for it. | --forward http://localhost:4000/hook
webhooks replay: Send again what a webhook was sent in a time, or could not be. | 019c416a-2000-7a02-8a00-5eed0000a007 --failed --from 2026-01-31T09:00:00Z --to 2026-01-31T12:00:00Z
mcp: Serve language models over standard input and output (Model Context Protocol), with the recordings of a server, as the user of login, or of MRS_URL and MRS_API_KEY. For programs that start their servers themselves; others use /mcp of the service. | --url https://meetings.example.com
completion: Print a script with which a shell completes commands, options and their values. Its first line says where it belongs. | source <(npx mrs completion bash)
config: Check the settings.
config check: Print every setting with its value, secrets masked, and where it comes from, and everything that is wrong: with the settings, the data folder, the files and folders that they name, the database and the bucket. Starts and changes nothing. |
database: Show which database is in use, and bring it to the schema of this release.
database url: Print the URL of the database in use, including its password: DATABASE_URL, or that of the embedded PostgreSQL while the service is running. | psql "$(npx mrs database url)"
database migrate: Bring the database to the schema of this release, as each process does when it starts. If there is no database yet, it is created, and standard error says where. |
backup: Copy the database, the media files and the keys, while the service is running, beside earlier backups, whose media files are not copied again. After an interruption, goes on. Anyone who can read it can read everything, unless it is encrypted. | /mnt/backups --keep 7d,4w,12m
backup verify: Read a backup to its end, and list what is missing in it or not as it was, without a target: exit status 1 if anything is. | /mnt/backups
restore: Restore what \`backup\` has written into an empty DATA_DIR, or an empty database and bucket, and check that it is complete. Before the service starts; can be interrupted and run again. | /mnt/backups
rollback: Take the database back to an older release, while no service runs, with the code of the newer one: says first what would be lost. All or nothing. Then start the older release. | 1.0.0
audit: Check the audit log.
audit verify: Recompute the seals of the audit log. Reports rows that were changed, removed or inserted, and seals that were. Reads everything, and changes nothing. With --receipt, also check the receipt of an erasure. | --organization 019c416a-2000-7a02-8a00-5eed0000b001
`;

const texts = [...COMMANDS.matchAll(/^([\w -]+): (.+?)(?: \|(?: (.+))?)?$/gm)];

/** What every command does, also those that only hold others. */
export const DESCRIPTIONS = new Map(texts.map(([, path = '', about = '']) => [path, about]));

/** One use of every command that does something. */
export const EXAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  texts.flatMap(([line, path, , use = '']) => (line.includes(' |') ? [[path, use]] : [])),
);

const MOST = 3;

/** Examples of a command, or of the first ones in a group, as they are typed. */
export const examplesOf = (command: string): string[] =>
  Object.entries(EXAMPLES)
    .filter(([path]) => path === command || path.startsWith(`${command} `))
    .map(([path, use]) => (use.includes(CALLED) ? use : `${CALLED} ${path} ${use}`.trimEnd()))
    .slice(0, MOST);

const SHOWN = [
  'status',
  'users create',
  'keys create',
  'orgs create',
  'import',
  'recordings upload',
  'recordings search',
  'backup',
  'database url',
  'login',
  'ask',
];

/** What `--help` says about all commands. */
export const AFTER = `
Examples:
${SHOWN.map(
  (command) => `  $ ${examplesOf(command)[0]}
`,
).join('')}
The commands use the database and data folder of the service (DATABASE_URL, DATA_DIR), whether it is running or not. Those "on a server" use that of login, or of MRS_URL and MRS_API_KEY; commands that work on both, too, unless --host is given.
Results go to standard output, everything else to standard error. With --json a command prints its result as one line of JSON.
Commands that delete something ask first on a terminal, unless --yes is given.
Exit status: 0 done, 1 failed, 2 wrong arguments, 3 refused, 4 not found, 5 server unreachable.`;
