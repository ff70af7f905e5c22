import SCIMMY from 'scimmy';
import { LIMITS } from '../../../contract/limits.js';

/*
 * What the service takes and gives of the core schemas, and the errors of SCIM. SCIMMY keeps schemas, configuration and
 * URLs once for the whole process; nothing here depends on a request.
 */

const BASE = ['schemas', 'id', 'externalId', 'meta'];
const OF_USER = new Set([...BASE, 'userName', 'name', 'displayName', 'emails', 'active']);
const OF_NAME = new Set(['formatted', 'givenName', 'familyName']);

const { User, Group } = SCIMMY.Resources;
const user = SCIMMY.Schemas.User.definition;
user.truncate(...user.attributes.filter(({ name }) => !OF_USER.has(name)));
const name = user.attribute('name');
for (const one of name.subAttributes?.filter((part) => !OF_NAME.has(part.name)) ?? []) name.truncate(one);

SCIMMY.Resources.declare(User);
SCIMMY.Resources.declare(Group);
SCIMMY.Config.set({
  patch: true,
  filter: LIMITS.directoryPage.max,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description:
        'A key of one organization with the scope directory:manage, in the header Authorization: Bearer',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
    },
  ],
});

export const ERROR_MESSAGE = SCIMMY.Messages.Error.id;

type ErrorKind = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'noTarget';

/** Refuses a request that is not as the protocol says. */
export const badRequest = (kind: ErrorKind, detail: string) => new SCIMMY.Types.Error(400, kind, detail);

/** Refuses what another user or group of the directory has. */
export const taken = (detail: string) => new SCIMMY.Types.Error(409, 'uniqueness', detail);

export const notFound = (what: 'user' | 'group') =>
  new SCIMMY.Types.Error(404, '', `The directory has no ${what} with this id.`);

/** How SCIMMY begins what it says about values. Anything else that it throws is about its own code. */
const ABOUT_VALUES = /^(Required a|Complex a|A)ttribute /;

/** Runs what reads a body with SCIMMY, which throws type errors for what it does not accept. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (ABOUT_VALUES.test(error.message)) throw badRequest('invalidValue', error.message);
    throw badRequest('invalidSyntax', 'The body does not have the form of its schema.');
  }
}

type Kind = 'ServiceProviderConfig' | 'ResourceType' | 'Schema';

/** What the service supports, and the schemas; or the one with an id. `base`: the URL of the protocol. */
export async function describeService(kind: Kind, base: string, id = ''): Promise<object> {
  for (const one of [User, Group, SCIMMY.Resources[kind]]) one.basepath(base);
  return (id === '' ? new SCIMMY.Resources[kind]() : new SCIMMY.Resources[kind](id)).read();
}
