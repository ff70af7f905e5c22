import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Bob', 'VIEWER')] });
const bob = user('Bob');
const own = recording('Ada');
const PASSWORD = 'correct horse';
const TRANSCRIPT = { segments: [{ start: 0, end: 1, text: 'Hello' }] };

interface Creation {
  /** Sends the request. */
  readonly send: (ada: Client, service: TestService) => Promise<Reply>;
  readonly location: (data: Reply['body']) => string;
  /** What is found there about what was created. */
  readonly shown: (read: Reply['body'], data: Reply['body']) => unknown;
  /** Sends the request for what was created, if it is not for Ada. */
  readonly reader?: (data: Reply['body'], service: TestService) => Client;
}

const inList = (read: { id: string }[], { id }: { id: string }): unknown =>
  read.find((item) => item.id === id);

async function share(ada: Client): Promise<string> {
  const { body } = await ada.post(`/recordings/${own.id}/share-link`, { password: PASSWORD });
  return body.data.share_token;
}

async function invite(ada: Client, email: string): Promise<Reply> {
  return ada.post(`/organizations/${acme.id}/invitations`, { email, role: 'VIEWER' });
}

const addAccount = (ada: Client): Promise<Reply> =>
  ada.post(`/organizations/${acme.id}/service-accounts`, { name: 'Bot', role: 'VIEWER' });

async function newAccount(ada: Client): Promise<string> {
  const { id } = (await addAccount(ada)).body.data;
  return `/organizations/${acme.id}/service-accounts/${id}`;
}

const AN_ACCOUNT = expect.stringMatching(
  /^\/api\/v1\/organizations\/[\w-]+\/service-accounts\/[\w-]+$/,
) as unknown as string;

const HOOK = { url: 'https://hooks.example.com/', types: ['recording.*'] };

const exported = (path: string): Creation => ({
  send: (ada) => ada.post(path, {}),
  location: ({ id }) => `/api/v1/exports/${id}`,
  shown: (read, { id }) => read.id === id,
});

/** Every operation that answers 201. */
const CREATIONS: Readonly<Record<string, Creation>> = {
  'POST /api/v1/api-keys': {
    send: (ada) => ada.post('/api-keys', { name: 'CI' }),
    location: ({ id }) => `/api/v1/api-keys/${id}`,
    shown: (read, { id }) => read.id === id,
  },
  'POST /api/v1/api-keys/{id}/rotate': {
    send: async (ada) => {
      const { body } = await ada.post('/api-keys', { name: 'CI' });
      return ada.post(`/api-keys/${body.data.id}/rotate`, {});
    },
    location: ({ id }) => `/api/v1/api-keys/${id}`,
    shown: (read, { id }) => read.id === id,
  },
  'POST /api/v1/oauth-clients': {
    send: (ada) =>
      ada.post('/oauth-clients', {
        name: 'CRM',
        redirect_uris: ['https://crm.acme.test/callback'],
        organization_id: acme.id,
      }),
    location: ({ id }) => `/api/v1/oauth-clients/${id}`,
    shown: (read, { id }) => read.id === id,
  },
  'POST /api/v1/me/exports': exported('/me/exports'),
  'POST /api/v1/organizations/{id}/exports': exported(`/organizations/${acme.id}/exports`),
  'POST /api/v1/recordings/{id}/exports': exported(`/recordings/${own.id}/exports`),
  'POST /api/v1/organizations/{id}/erasures': {
    send: (ada) =>
      ada.post(`/organizations/${acme.id}/erasures`, { email: 'nobody@acme.test', speaker_names: [] }),
    location: ({ id }) => `/api/v1/organizations/${acme.id}/erasures/${id}`,
    shown: (read, { id }) => read.id === id,
  },
  'POST /api/v1/legal-holds': {
    send: (ada) =>
      ada.post('/legal-holds', {
        matter: 'Case',
        reason: 'Letter',
        organization_id: acme.id,
        from: '2999-01-01',
      }),
    location: ({ id }) => `/api/v1/legal-holds/${id}`,
    shown: (read, { id }) => read.id === id,
  },
  'POST /api/v1/recordings': {
    send: (ada) => ada.post('/recordings', { title: 'New' }),
    location: ({ id }) => `/api/v1/recordings/${id}`,
    shown: (read) => read.title === 'New',
  },
  'POST /api/v1/recordings/{id}/upload': {
    send: (ada) => ada.post(`/recordings/${own.id}/upload`, {}),
    location: () => `/api/v1/recordings/${own.id}`,
    shown: (read) => read.newMedia?.status === 'uploading',
  },
  'POST /api/v1/recordings/{id}/transcript/revisions/{revision}/restore': {
    send: async (ada) => {
      const put = (): Promise<Reply> =>
        ada.request('PUT', `/recordings/${own.id}/transcript`, { body: TRANSCRIPT });
      const { body } = await put();
      await put();
      return ada.post(`/recordings/${own.id}/transcript/revisions/${body.data.revision}/restore`);
    },
    location: () => `/api/v1/recordings/${own.id}/transcript`,
    shown: (read, { revision }) => read.revision === revision,
  },
  'POST /api/v1/recordings/{id}/summary/revisions/{revision}/restore': {
    send: async (ada) => {
      await ada.request('PUT', `/recordings/${own.id}/summary`, { body: { content: 'Hello' } });
      return ada.post(`/recordings/${own.id}/summary/revisions/1/restore`);
    },
    location: () => `/api/v1/recordings/${own.id}/summary`,
    shown: (read, { revision }) => read.revision === revision,
  },
  'POST /api/v1/recordings/{id}/share-link': {
    send: (ada) => ada.post(`/recordings/${own.id}/share-link`),
    location: () => `/api/v1/recordings/${own.id}/share-links`,
    shown: inList,
  },
  'POST /api/v1/recordings/{id}/tracks': {
    send: (ada) => ada.post(`/recordings/${own.id}/tracks`, { name: 'Grace' }),
    location: () => `/api/v1/recordings/${own.id}/tracks`,
    shown: inList,
  },
  'POST /api/v1/shares/{token}/access': {
    send: async (ada, { api }) => api.post(`/shares/${await share(ada)}/access`, { password: PASSWORD }),
    location: () => expect.stringMatching(/^\/api\/v1\/shares\/[\w-]{20,}$/) as unknown as string,
    shown: (read) => read.recording.title === own['title'],
    reader: ({ access_token: token }, { api }) =>
      ({
        get: (path: string) => api.get(path, { headers: { 'x-share-access': token } }),
      }) as unknown as Client,
  },
  'POST /api/v1/webhooks': {
    send: (ada) => ada.post('/webhooks', HOOK),
    location: ({ id }) => `/api/v1/webhooks/${id}`,
    shown: (read) => read.url === HOOK.url,
  },
  'POST /api/v1/webhooks/{id}/rotate-secret': {
    send: async (ada) => {
      const { body } = await ada.post('/webhooks', HOOK);
      return ada.post(`/webhooks/${body.data.id}/rotate-secret`);
    },
    location: ({ id }) => `/api/v1/webhooks/${id}`,
    shown: (read, { id }) => read.id === id,
  },
  'POST /api/v1/organizations': {
    send: (ada) => ada.post('/organizations', { name: 'Newly' }),
    location: ({ id }) => `/api/v1/organizations/${id}`,
    shown: (read) => read.name === 'Newly',
  },
  'PUT /api/v1/organizations/{id}/members/{userId}': {
    send: async (ada) => {
      const { body } = await ada.post('/users', { name: 'Finn', email: 'finn@acme.test' });
      const path = `/organizations/${acme.id}/members/${body.data.id}`;
      return ada.request('PUT', path, { body: { role: 'VIEWER' } });
    },
    location: () => `/api/v1/organizations/${acme.id}/members`,
    shown: inList,
  },
  'POST /api/v1/users': {
    send: (ada) => ada.post('/users', { name: 'Gina', email: 'gina@acme.test' }),
    location: ({ id }) => `/api/v1/users/${id}`,
    shown: (read) => read.name === 'Gina',
  },
  'PUT /api/v1/users/{id}': {
    send: (ada) => ada.request('PUT', '/users/ext:CRM-1', { body: { name: 'Hal', email: 'hal@acme.test' } }),
    location: ({ id }) => `/api/v1/users/${id}`,
    shown: (read) => read.name === 'Hal',
  },
  'POST /api/v1/users/{id}/api-keys': {
    send: (ada) => ada.post(`/users/${bob.id}/api-keys`, { name: 'Given' }),
    location: () => `/api/v1/users/${bob.id}`,
    shown: (read) => read.name === 'Bob',
  },
  'POST /api/v1/organizations/{id}/folders': {
    send: (ada) => ada.post(`/organizations/${acme.id}/folders`, { name: 'Board' }),
    location: () => `/api/v1/organizations/${acme.id}/folders`,
    shown: inList,
  },
  'POST /api/v1/organizations/{id}/service-accounts': {
    send: addAccount,
    location: ({ id }) => `/api/v1/organizations/${acme.id}/service-accounts/${id}`,
    shown: (read, { id }) => read.id === id,
  },
  'POST /api/v1/organizations/{id}/service-accounts/{accountId}/keys': {
    send: async (ada) => ada.post(`${await newAccount(ada)}/keys`, { name: 'CI' }),
    location: () => AN_ACCOUNT,
    shown: (read, key) => inList(read.api_keys, key),
  },
  'POST /api/v1/organizations/{id}/service-accounts/{accountId}/keys/{keyId}/rotate': {
    send: async (ada) => {
      const account = await newAccount(ada);
      const [key] = (await ada.get(account)).body.data.api_keys;
      return ada.post(`${account}/keys/${key.id}/rotate`, {});
    },
    location: () => AN_ACCOUNT,
    shown: (read, key) => inList(read.api_keys, key),
  },
  'POST /api/v1/organizations/{id}/transfer': {
    send: async (ada, { api }) => {
      const { body } = await api.as(keyOf('Bob')).get('/me');
      return ada.post(`/organizations/${acme.id}/transfer`, { user_id: body.data.user?.id ?? body.data.id });
    },
    location: () => `/api/v1/organizations/${acme.id}`,
    shown: (read, { user_id: userId }) => read.transfer?.user_id === userId,
  },
  'POST /api/v1/organizations/{id}/invitations': {
    send: (ada) => invite(ada, 'cleo@acme.test'),
    location: () => `/api/v1/organizations/${acme.id}/invitations`,
    shown: inList,
  },
  'POST /api/v1/invitations/accept': {
    send: async (ada, { api }) => {
      const { body } = await invite(ada, 'dora@acme.test');
      return api.post('/invitations/accept', { token: body.data.invite_token, name: 'Dora' });
    },
    location: () => `/api/v1/organizations/${acme.id}`,
    shown: (read) => read.name === 'Acme',
    reader: ({ key }, { api }) => api.as(key),
  },
};

/** The operations of the document that answer 201, with the headers of that reply. */
/** Without that of tus, whose URL answers HEAD. */
const documented = Object.entries(openapi.paths).flatMap(([path, operations]) =>
  path === '/api/v1/uploads'
    ? []
    : Object.entries(operations).flatMap(([method, { responses }]) => {
        const created = responses['201'] as { headers?: Record<string, object> } | undefined;
        return created ? [[`${method.toUpperCase()} ${path}`, created.headers] as const] : [];
      }),
);

describe('Location', () => {
  cheapPasswords();
  let service: TestService;
  let ada: Client;
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), bob], organizations: [acme], recordings: [own] });
    await service.dataSource.query(`UPDATE users SET operator = true WHERE name = 'Ada'`);
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  it('is documented for every operation that answers 201, and tested here', () => {
    expect(documented.map(([name]) => name).sort()).toEqual(Object.keys(CREATIONS).sort());
    for (const [name, headers] of documented) {
      expect([name, headers]).toEqual([
        name,
        expect.objectContaining({
          Location: {
            description: expect.stringContaining('/api/v1/'),
            required: true,
            schema: { type: 'string', format: 'uri-reference' },
          },
        }),
      ]);
    }
  });

  it.each(Object.entries(CREATIONS))('%s: is where it can be read', async (_, creation) => {
    const { status, headers, body } = await creation.send(ada, service);
    expect([status, body.error]).toEqual([201, undefined]);
    const location = headers.get('location') ?? '';
    expect(location).toEqual(creation.location(body.data));
    const reader = creation.reader?.(body.data, service) ?? ada;
    const read = await reader.get(location.replace('/api/v1', ''));
    expect(read.status).toBe(200);
    expect(creation.shown(read.body.data, body.data)).toBeTruthy();
  });

  it('has the path prefix of PUBLIC_URL, as the API document has, but not its host, to which a key would be sent', async () => {
    const settings = { PUBLIC_URL: 'https://example.org/meetings' };
    const prefixed = await startService(settings, { beside: service });
    const { headers, body } = await prefixed.api.as(keyOf('Ada')).post('/api-keys', { name: 'CI' });
    const { servers } = (await (await fetch(`${prefixed.api.base}/openapi.json`)).json()) as {
      servers: unknown;
    };
    await prefixed.stop();
    expect(servers).toEqual([{ url: '/meetings' }]);
    expect(headers.get('location')).toBe(`/meetings/api/v1/api-keys/${body.data.id}`);
  });
});
