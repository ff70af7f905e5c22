import SCIMMY from 'scimmy';
import { DIRECTORY_LIMITS } from '../directory-limits.js';

/*
 * What the service says of itself, as SCIMMY does for the whole process: nothing of it depends on a request. Of the core
 * schema of users, it has what the service keeps.
 */

const OF_USER = new Set('schemas id externalId meta userName name displayName emails active'.split(' '));
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
  filter: DIRECTORY_LIMITS.page.max,
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

/** All of a kind, or the one with an id. `base`: the URL of the protocol. 404 for an unknown id. */
export async function describeService(
  kind: 'ServiceProviderConfig' | 'ResourceType' | 'Schema',
  base: string,
  id = '',
): Promise<object> {
  for (const one of [User, Group, SCIMMY.Resources[kind]]) one.basepath(base);
  return (id === '' ? new SCIMMY.Resources[kind]() : new SCIMMY.Resources[kind](id)).read();
}
