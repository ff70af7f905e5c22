import SCIMMY from 'scimmy';
import { DIRECTORY_LIMITS } from '../directory-limits.js';
import { LIMITS } from '../../../contract/limits.js';
import { asLine, isEmailAddress, isLine } from '../../../lib/text.js';
import { isUuid } from '../../../platform/ids.js';
import type { DirectoryUser } from '../entities/directory-user.entity.js';
import { badRequest } from './scim-errors.js';

type Names = Pick<DirectoryUser, 'externalId' | 'displayName' | 'formattedName' | 'givenName' | 'familyName'>;

/** What a request says of a person; what it does not say is not there. */
export type SaidOfUser = Partial<Names & Pick<DirectoryUser, 'userName' | 'email' | 'active'>>;

/** What a request says of a group. Members change in this order; `all`: those whom it had leave. */
export interface SaidOfGroup {
  displayName?: string;
  externalId?: string | null;
  all: boolean;
  readonly removed: Set<string>;
  readonly added: Set<string>;
}

/** Attributes, by their paths in lower case. */
const LINES: Readonly<Record<string, keyof Names>> = {
  externalid: 'externalId',
  displayname: 'displayName',
  'name.formatted': 'formattedName',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
};
const NOTHING = Object.fromEntries(Object.values(LINES).map((name) => [name, null])) as unknown as Names;

/** Reads the body of a POST or PUT: a whole person. Attributes that the service does not keep are ignored. */
export function readUser(body: unknown): Names & SaidOfUser & { readonly userName: string } {
  const said: Names & SaidOfUser = { ...NOTHING };
  const fields = fieldsOf(body, SCIMMY.Schemas.User.id);
  for (const [name, value] of Object.entries(fields)) sayOfUser(said, name.toLowerCase(), value);
  const { userName = requireLine('userName', null) } = said;
  if (said.email === undefined && isEmailAddress(userName, LIMITS.email.max)) said.email = userName;
  return { ...said, userName };
}

/** Reads the body of a PATCH. What is not kept must not keep the rest of it from being carried out. */
export function readUserPatch(body: unknown): SaidOfUser {
  const said: SaidOfUser = {};
  for (const { op, path, value } of operationsOf(body)) sayOfUser(said, path, op === 'remove' ? null : value);
  return said;
}

const FILTERED_EMAIL = /^emails\s*\[([^\]]*)\](?:\.value)?$/;
/** Of several addresses, the one at work is kept; providers also change it where there has been none. */
const KEPT = /type\s+eq\s+"work"|primary\s+eq/;

function sayOfUser(said: SaidOfUser, path: string, value: unknown): void {
  const line = Object.hasOwn(LINES, path) && LINES[path];
  if (line) said[line] = readLine(path, value);
  else if (path === 'username') said.userName = requireLine('userName', value);
  else if (path === 'active') said.active = readBoolean(value);
  else if (path === 'name' && isObject(value))
    for (const [part, one] of Object.entries(value)) sayOfUser(said, `name.${part.toLowerCase()}`, one);
  else if (path === 'emails' || KEPT.test(FILTERED_EMAIL.exec(path)?.[1] ?? '')) {
    const email = readEmail(Array.isArray(value) ? value : [value]);
    if (email !== undefined) said.email = email;
  }
}

/** Entra ID sends booleans as text, in the spelling of its own language. */
function readBoolean(value: unknown): boolean {
  if (/^(true|false)$/i.test(String(value))) return /true/i.test(String(value));
  throw badRequest('invalidValue', 'active: must be true or false');
}

function readEmail(given: readonly unknown[]): string | undefined {
  if (given.length > DIRECTORY_LIMITS.emails)
    throw badRequest('invalidValue', `emails: at most ${DIRECTORY_LIMITS.emails}`);
  const emails = given
    .map((one) => (isObject(one) ? one : { value: one }))
    .filter(({ value }) => (value ?? '') !== '');
  const kept =
    emails.find(({ primary }) => /true/i.test(String(primary))) ??
    emails.find(({ type }) => type === 'work') ??
    emails[0];
  if (kept && !isEmailAddress(kept['value'], LIMITS.email.max))
    throw badRequest('invalidValue', 'emails: must be an email address');
  return kept?.['value'] as string | undefined;
}

/** Reads the body of a POST or PUT: a whole group. */
export function readGroup(body: unknown): SaidOfGroup & { displayName: string } {
  const said: SaidOfGroup = { externalId: null, all: true, removed: new Set(), added: new Set() };
  const fields = fieldsOf(body, SCIMMY.Schemas.Group.id);
  for (const [name, value] of Object.entries(fields)) sayOfGroup(said, 'add', name.toLowerCase(), value);
  return { ...said, displayName: requireLine('displayName', said.displayName) };
}

/** Reads the body of a PATCH, without the group: it may have thousands of members, of which a request names a few. */
export function readGroupPatch(body: unknown): SaidOfGroup {
  const said: SaidOfGroup = { all: false, removed: new Set(), added: new Set() };
  for (const { op, path, value } of operationsOf(body)) sayOfGroup(said, op, path, value);
  return said;
}

const ONE_MEMBER = /^members\s*\[\s*value\s+eq\s+"([^"]*)"\s*\]$/;

function sayOfGroup(said: SaidOfGroup, op: string, path: string, value: unknown): void {
  const one = ONE_MEMBER.exec(path)?.[1];
  if (path === 'displayname') said.displayName = requireLine('displayName', op === 'remove' ? null : value);
  else if (path === 'externalid') said.externalId = readLine(path, op === 'remove' ? null : value);
  else if (path === 'members' || one !== undefined) {
    if (one === undefined && (op === 'replace' || (op === 'remove' && value === undefined))) {
      said.all = true;
      said.added.clear();
    }
    const [to, from] = op === 'remove' ? [said.removed, said.added] : [said.added, said.removed];
    for (const id of readIds(one ?? value)) {
      to.add(id);
      from.delete(id);
    }
  } else if (path.startsWith('members'))
    throw badRequest('invalidPath', 'path: must be members or members[value eq "ID"]');
}

export const NO_USER = 'members: each must have the id of a user of this directory as its value';

/** The ids of a list of members, or of one. */
function readIds(given: unknown): readonly string[] {
  return (Array.isArray(given) ? given : [given ?? []].flat()).map((member: unknown) => {
    const value = isObject(member) ? member['value'] : member;
    if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
    throw badRequest('invalidValue', NO_USER);
  });
}

/** A name or id as it is kept; null if there is none. */
function readLine(name: string, value: unknown): string | null {
  if ((value ?? '') === '') return null;
  const { max } = DIRECTORY_LIMITS.name;
  // Text that is obviously longer is not looked at.
  const line = typeof value === 'string' && value.length <= 10 * max ? asLine(value) : '\0';
  if (line === '' || isLine(line, DIRECTORY_LIMITS.name)) return line || null;
  throw badRequest('invalidValue', `${name}: must be a line of at most ${max} characters`);
}

function requireLine(name: string, value: unknown): string {
  const line = readLine(name, value);
  if (line === null) throw badRequest('invalidValue', `${name}: must not be missing or empty`);
  return line;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fieldsOf(body: unknown, schema: string): Readonly<Record<string, unknown>> {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  const { schemas } = body;
  if (Array.isArray(schemas) && schemas.length > 0 && !schemas.includes(schema))
    throw badRequest('invalidSyntax', `schemas: must have ${schema}`);
  return body;
}

interface Operation {
  readonly op: string;
  /** In lower case, without the URN of the schema. */
  readonly path: string;
  readonly value: unknown;
}

/** The operations of a PATCH. One without a path stands for one for each name in its value. */
function operationsOf(body: unknown): readonly Operation[] {
  const { schemas, Operations } = fieldsOf(body, SCIMMY.Messages.PatchOp.id);
  if (!Array.isArray(schemas) || !Array.isArray(Operations) || !Operations.every(isObject))
    throw badRequest('invalidSyntax', 'The body must have schemas and Operations, a list of objects.');
  if (Operations.length > DIRECTORY_LIMITS.operations)
    throw badRequest('invalidValue', `Operations: at most ${DIRECTORY_LIMITS.operations} in one request`);
  const patch = new SCIMMY.Messages.PatchOp({ schemas, Operations } as never);
  return patch.Operations.flatMap(({ op, path, value }) =>
    (path === undefined && isObject(value) ? Object.entries(value) : [[path ?? '', value] as const]).map(
      ([name, one]) => ({ op: op.toLowerCase(), path: readPath(name), value: one }),
    ),
  );
}

function readPath(name: string): string {
  if (name.length > DIRECTORY_LIMITS.filter)
    throw badRequest('invalidPath', `path: at most ${DIRECTORY_LIMITS.filter} characters`);
  return name.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '');
}
