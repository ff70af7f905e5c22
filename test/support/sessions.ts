import { SessionsService, type SignedIn } from '../../src/modules/api-keys/sessions/sessions.service.js';
import { SESSION, type Client } from './client.js';
import type { TestService } from './service.js';

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
