import SCIMMY from 'scimmy';
import { LIMITS } from '../../../contract/limits.js';
import { asLine, isEmailAddress, isLine } from '../../../lib/text.js';
import type { DirectoryUser } from '../entities/directory-user.entity.js';
import { badRequest, reading } from './scim-protocol.js';

/** What a directory says of a person. */
export interface Described extends Pick<
  DirectoryUser,
  'externalId' | 'userName' | 'displayName' | 'formattedName' | 'givenName' | 'familyName'
> {
  /** Undefined: neither an email address nor a user name that is one. */
  readonly email: string | undefined;
  /** Undefined: not said. */
  readonly active: boolean | undefined;
}

/** Reads the body of a POST or PUT. Attributes that the service does not keep are ignored. */
export function readUser(body: unknown): Described {
  const fields = requireObject(body);
  requireFewEmails(fields['emails']);
  return describe(reading(() => new SCIMMY.Schemas.User(withBooleans(fields), 'in')));
}

/** Applies the body of a PATCH to a person. */
export async function patchUser(body: unknown, user: DirectoryUser): Promise<Described> {
  const { schemas, Operations } = reading(() => new SCIMMY.Messages.PatchOp(requirePatch(body)));
  const changes = Operations.flatMap(toSingle).flatMap(toKnown);
  if (changes.length === 0) return { ...user };
  const patch = reading(() => new SCIMMY.Messages.PatchOp({ schemas, Operations: changes }));
  const before = new SCIMMY.Schemas.User(presentUser(user), 'both');
  // Undefined if nothing has changed.
  return describe((await patch.apply(before)) ?? before);
}

export const presentUser = (user: DirectoryUser) => ({
  schemas: [SCIMMY.Schemas.User.id],
  id: user.userId,
  externalId: user.externalId ?? undefined,
  userName: user.userName,
  name: {
    formatted: user.formattedName ?? undefined,
    givenName: user.givenName ?? undefined,
    familyName: user.familyName ?? undefined,
  },
  displayName: user.displayName ?? undefined,
  emails: [{ value: user.email, type: 'work', primary: true }],
  active: user.active,
});

/** The body of a PATCH that has neither too much nor something else to do. */
export function requirePatch(body: unknown): never {
  const { Operations: operations } = requireObject(body);
  if (Array.isArray(operations) && operations.length > LIMITS.directoryOperations)
    throw badRequest('invalidValue', `Operations: at most ${LIMITS.directoryOperations} in one request`);
  return body as never;
}

export function requireObject(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw badRequest('invalidSyntax', 'The body must be a JSON object.');
}

function describe(user: SCIMMY.Schemas.User): Described {
  const userName = readLine('userName', user.userName);
  if (userName === null) throw badRequest('invalidValue', 'userName: must not be empty');
  const emails = (user.emails ?? []).filter((email) => email?.value);
  const email =
    emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type === 'work') ?? emails[0];
  const address = email?.value ?? (userName.includes('@') ? userName : undefined);
  if (address !== undefined && !isEmailAddress(address, LIMITS.email.max))
    throw badRequest('invalidValue', 'emails: must be an email address');
  return {
    externalId: readLine('externalId', (user as { externalId?: string }).externalId),
    userName,
    displayName: readLine('displayName', user.displayName),
    formattedName: readLine('name.formatted', user.name?.formatted),
    givenName: readLine('name.givenName', user.name?.givenName),
    familyName: readLine('name.familyName', user.name?.familyName),
    email: address,
    active: user.active ?? undefined,
  };
}

/** A name or id as it is kept; null if there is none. */
export function readLine(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const line = typeof value === 'string' ? asLine(value) : '\0';
  if (line === '') return null;
  if (isLine(line, LIMITS.directoryName)) return line;
  throw badRequest(
    'invalidValue',
    `${name}: must be a line of at most ${LIMITS.directoryName.max} characters`,
  );
}

function requireFewEmails(emails: unknown): void {
  if (Array.isArray(emails) && emails.length > LIMITS.directoryEmails)
    throw badRequest('invalidValue', `emails: at most ${LIMITS.directoryEmails}`);
}

/** Entra ID sends booleans as text, in the spelling of its own language. */
const asBoolean = (value: unknown): unknown =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;

function withBooleans({ active, emails, ...fields }: Record<string, unknown>): object {
  const marked: unknown = Array.isArray(emails)
    ? emails.map((one: unknown) =>
        typeof one === 'object' && one !== null && 'primary' in one
          ? { ...one, primary: asBoolean(one.primary) }
          : one,
      )
    : emails;
  return {
    ...fields,
    ...(active === undefined ? {} : { active: asBoolean(active) }),
    ...(emails === undefined ? {} : { emails: marked }),
  };
}

type Operation = SCIMMY.Messages.PatchOp.PatchOpOperation;

/** An operation without a path has one for each name in its value; some of these are paths with filters. */
export function toSingle({ op, path, value }: Operation): Operation[] {
  const isWhole = path === undefined && typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isWhole ? Object.entries(value as object) : [[path ?? '', value] as const];
  return entries.map(([name, one]: readonly [string, unknown]) => ({
    op: op.toLowerCase() as Operation['op'],
    path: name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, ''),
    value: one,
  }));
}

const EMAIL_PATH = /^emails\s*\[([^\]]*)\]\s*(?:\.\s*(\w+))?$/i;
const KNOWN_PATH =
  /^(userName|externalId|displayName|active|emails|name|name\.(formatted|givenName|familyName))$/i;
/** Which of several addresses the service keeps. */
const KEPT_EMAIL = /type\s+eq\s+"work"|primary\s+eq/i;

/**
 * What SCIMMY can apply. Identity providers change what they never added, `emails[type eq "work"].value` of a person
 * without an address, and attributes that the service does not keep, which must not keep the others from being changed.
 */
function toKnown({ op, path = '', value }: Operation): Operation[] {
  const email = EMAIL_PATH.exec(path);
  if (email) {
    const [, filter = '', part = 'value'] = email;
    if (!KEPT_EMAIL.test(filter) || part.toLowerCase() !== 'value') return [];
    if (op === 'remove') return [{ op, path: 'emails' }];
    const given: unknown =
      typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    return [{ op: 'replace', path: 'emails', value: [{ value: given, type: 'work', primary: true }] }];
  }
  if (!KNOWN_PATH.test(path)) return [];
  if (path.toLowerCase() === 'emails') requireFewEmails(value);
  const { active, emails } = withBooleans({ active: value, emails: value }) as Record<string, unknown>;
  const given = path.toLowerCase() === 'active' ? active : path.toLowerCase() === 'emails' ? emails : value;
  return [{ op, path, ...(op === 'remove' ? {} : { value: given }) }];
}
