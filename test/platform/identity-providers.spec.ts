import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../src/platform/config/settings.js';

const ACME = { name: 'acme', label: 'Acme', client_id: 'meetings', client_secret: 'secret' };
const read = (...issuers: string[]) =>
  parseSettings({
    IDENTITY_PROVIDERS: JSON.stringify(issuers.map((issuer) => ({ ...ACME, issuer }))),
  }).identityProviders;

describe('the issuer of an identity provider', () => {
  it.each([
    'https://login.example.com',
    'http://localhost:8080/realms/acme',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://10.1.2.3',
  ])('can be %s', (issuer) => {
    expect(read(issuer)).toMatchObject([{ issuer, trusts_email: false, unknown: 'invited', domains: [] }]);
  });

  it.each(['http://login.example.com', 'http://localhost.example.com', 'http://8.8.8.8', 'login', 'ftp://x'])(
    'cannot be %s',
    (issuer) => {
      expect(() => read(issuer)).toThrow(/0\.issuer: /);
    },
  );
});
