import { afterAll, beforeAll, jest } from '@jest/globals';
import { PASSWORD_COST } from '../../src/platform/secrets/passwords.js';

/** In a `describe`: a password that its tests set takes no time to hash or to check. */
export function cheapPasswords(): void {
  let replaced: { restore(): void };
  beforeAll(() => {
    replaced = jest.replaceProperty(PASSWORD_COST, 'N', 16);
  });
  afterAll(() => replaced.restore());
}
