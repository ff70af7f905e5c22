import type { Client, Reply } from './client.js';
import type { TestService } from './service.js';

/** A provisioning client, as identity providers have one. Replies are not those of the API document. */
export class Scim {
  constructor(
    private readonly base: string,
    private readonly key: string,
  ) {}

  get(path: string): Promise<Reply> {
    return this.request('GET', path);
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.request('POST', path, body);
  }

  put(path: string, body: unknown): Promise<Reply> {
    return this.request('PUT', path, body);
  }

  patch(path: string, ...operations: readonly unknown[]): Promise<Reply> {
    return this.request('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    });
  }

  delete(path: string): Promise<Reply> {
    return this.request('DELETE', path);
  }

  /** `body`: text is sent as it is. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    type = 'application/scim+json',
  ): Promise<Reply> {
    const response = await fetch(`${this.base}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }
}

/** The client of a service account that an OWNER has made for the directory of an organization. */
export async function directoryOf(
  { api }: Pick<TestService, 'api'>,
  owner: Client,
  organizationId: string,
): Promise<Scim> {
  const account = { name: 'Directory', role: 'ADMIN', scopes: ['directory:manage'] };
  const { body } = await owner.post(`/organizations/${organizationId}/service-accounts`, account);
  return new Scim(api.base, body.data.api_key.key);
}

/** A user as Entra ID sends them. */
export const entraUser = (name: string, more: object = {}): object => ({
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  ],
  externalId: `ext-${name}`,
  userName: `${name}@acme.test`,
  active: true,
  displayName: name,
  emails: [{ primary: true, type: 'work', value: `${name}@acme.test` }],
  meta: { resourceType: 'User' },
  name: { formatted: `${name} Jones`, familyName: 'Jones', givenName: name },
  title: 'Engineer',
  ...more,
});

export const scimError = (status: number, detail: unknown, scimType?: string): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
});
