import { afterAll, beforeAll, jest } from '@jest/globals';
import { PASSWORD_COST } from '../../src/platform/secrets/passwords.js';

/** Called in a `describe`, makes passwords that its tests set take no time to hash or to check. */
export function cheapPasswords(): void {
  let replaced: { restore(): void };
  beforeAll(() => {
    replaced = jest.replaceProperty(PASSWORD_COST, 'N', 16);
  });
  afterAll(() => replaced.restore());
}
