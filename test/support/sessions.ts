import { SessionsService, type SignedIn } from '../../src/modules/api-keys/sessions/sessions.service.js';
import { getDataSourceToken } from '@nestjs/typeorm';
import { IsNull, type DataSource } from 'typeorm';
import { ApiKey } from '../../src/modules/api-keys/entities/api-key.entity.js';
import { hashSecret } from '../../src/platform/secrets/secrets.js';
import { isLimited } from '../../src/policy/api-keys.js';
import { Client, SESSION } from './client.js';
import { SERVICES, type TestService } from './service.js';

/** Begins a session of a user, and returns what `Client` takes in the place of an API key. */
export async function sessionOf(
  { app }: Pick<TestService, 'app'>,
  userId: string,
  how: Omit<SignedIn, 'userId'> = { way: 'link' },
  client = 'test-browser',
): Promise<string> {
  const origin = { id: 'sign-in', address: '127.0.0.1', client };
  const { token } = await app.get(SessionsService).begin({ userId, ...how }, origin);
  return SESSION + token;
}

/** A client that is signed in as the user of another one. */
export const signedIn = async (
  service: Pick<TestService, 'app' | 'api'>,
  as: Client,
  how?: Omit<SignedIn, 'userId'>,
  client?: string,
): Promise<Client> => {
  const { body } = await as.get('/me');
  return service.api.as(await sessionOf(service, body.data.id, how, client));
};

/**
 * From now on, clients use a new session of the user in the place of an API key, unless the key is limited, has ended or is
 * unknown.
 */
export function useSessions(): void {
  Client.exchange = async (base, key) => {
    const app = SERVICES.get(base);
    const found = await app
      ?.get<DataSource>(getDataSourceToken())
      .getRepository(ApiKey)
      .findOneBy({
        hash: hashSecret(key),
        revokedAt: IsNull(),
        expiresAt: IsNull(),
        user: { serviceOf: IsNull() },
      });
    if (!app || !found?.userId || isLimited(found)) return key;
    return sessionOf({ app }, found.userId);
  };
}
