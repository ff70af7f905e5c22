import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc, { runs } from '../support/properties.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { redact } from '../../src/platform/logging/redact.js';
import { randomBase62, randomToken } from '../../src/platform/secrets/secrets.js';
import { UrlSigner } from '../../src/platform/secrets/url-signer.js';

const EXPIRES = new Date('2026-11-22T12:00:00Z');
const TOKEN = 'AAABnBNjScABmYo8Wx58Op8ELRxrfoqQ';
const KEY = 'mrs_0aZ9bY8cX7dW6eV5fU4gT3hS2iR1jQ0kP9lO8mN7nM6';
const signer = new UrlSigner(['a key that nobody else has, of 32']);
const SIGNED_TOKEN = signer.token('/s/1', EXPIRES);
const [, SIGNATURE = ''] = SIGNED_TOKEN.split('.');
const SIGNED_URL = signer.sign('/media/1/video', { disposition: 'inline' }, EXPIRES);

/** The text that a call of the logger writes. */
function logged(log: (logger: AppLogger) => void): string {
  let text = '';
  log(new AppLogger('trace', { write: (line: string) => void (text += line) }));
  return text;
}

describe('the log hides', () => {
  it.each([
    ['a share token', `opened ${TOKEN}`, 'opened [hidden]'],
    ['a share token in a path', `/s/${TOKEN}/captions.vtt`, '/s/[hidden]/captions.vtt'],
    ['a share token in an escaped path', `next=%2Fs%2F${TOKEN}%2F`, 'next=%2Fs%2F[hidden]%2F'],
    ['a share token on a separate line', `\n${TOKEN}\n`, '\n[hidden]\n'],
    ['a share token after a backslash', `\\${TOKEN}`, '\\[hidden]'],
    ['a share token after a control character', `\u0001${TOKEN}`, '\u0001[hidden]'],
    [
      'an API key except for its prefix',
      `the key ${KEY} is unknown`,
      'the key mrs_0aZ9bY8c[hidden] is unknown',
    ],
    ['an API key in a header', `Authorization: Bearer ${KEY}`, 'Authorization: Bearer [hidden]'],
    ['a browser token', `sent mrb_1.eyJr.${SIGNATURE}, twice`, 'sent mrb_[hidden], twice'],
    ['the token of an invitation', `/join/inv_${KEY.slice(4)}`, '/join/inv_[hidden]'],
    ['an access token of OAuth', `/x/mro_${KEY.slice(4)}`, '/x/mro_[hidden]'],
    ['the secret of a webhook', `signs with whsec_${btoa(KEY.slice(0, 32))}`, 'signs with whsec_[hidden]'],
    [
      'the signature of a URL',
      SIGNED_URL,
      '/media/1/video?disposition=inline&expires=1795348800&signature=[hidden]',
    ],
    [
      'the signature of a playlist',
      `/media/1/hls/${SIGNED_TOKEN}/master.m3u8`,
      '/media/1/hls/1795348800.[hidden]/master.m3u8',
    ],
    [
      'the access token of a share link',
      `share_access=${SIGNED_TOKEN}; Path=/`,
      'share_access=1795348800.[hidden]; Path=/',
    ],
    [
      'a presigned URL',
      'https://s3/b/k?X-Amz-Credential=AK%2F1&X-Amz-Signature=0af&x=1',
      'https://s3/b/k?X-Amz-Credential=[hidden]&X-Amz-Signature=[hidden]&x=1',
    ],
    ['a password in a query', '/s/1?password=open-sesame&x=1', '/s/1?password=[hidden]&x=1'],
    ['a password that begins like a placeholder', 'password=$ecret', 'password=[hidden]'],
    ['a key in an environment', 'SEALING_KEY_PREVIOUS=old,older&x', 'SEALING_KEY_PREVIOUS=[hidden]&x'],
    [
      'a key in JSON',
      '{"URL_SIGNING_KEY":"k","sealingKey":"s"}',
      '{"URL_SIGNING_KEY":"[hidden]","sealingKey":"[hidden]"}',
    ],
    ['a password in JSON', '{"password":"open-sesame","x":1}', '{"password":"[hidden]","x":1}'],
    [
      'the password in a URL',
      'postgres://mrs:0af3@127.0.0.1:5432/mrs',
      'postgres://mrs:[hidden]@127.0.0.1:5432/mrs',
    ],
    [
      'the key of a model server',
      'Incorrect API key provided: sk-proj-0123456789abcdef.',
      'Incorrect API key provided: sk-[hidden].',
    ],
  ])('%s, in a message, a field, an error and its cause', (_, text, expected) => {
    const error = new Error(text, { cause: new Error(text) });
    const line = logged((logger) => logger.error({ err: error, at: { depth: [text] } }, text));
    expect(JSON.parse(line)).toMatchObject({
      msg: expected,
      at: { depth: [expected] },
      err: {
        message: expected,
        stack: expect.stringContaining(`Error: ${expected}\n`),
        cause: { message: expected },
      },
    });
  });

  it('the values of fields with names of secrets', () => {
    const fields = { password: 'open sesame', share_token: 'short', headers: { cookie: 'a=b; c=d' } };
    const line = logged((logger) => logger.warn(fields));
    expect(line).not.toMatch(/open|sesame|short|a=b|c=d/);
  });

  it('every secret that the service generates', () => {
    const make = () => [
      randomToken(),
      `mrs_${randomBase62()}`,
      `inv_${randomBase62()}`,
      randomBytes(32).toString('base64url'),
    ];
    const secrets = Array.from({ length: 2_000 }, make).flat();
    const leaked = secrets.filter((secret) => redact(`<${secret}>`).includes(secret));
    expect(leaked).toEqual([]);
  });
});

describe('the log does not hide', () => {
  it.each([
    ['ids', '0193522e-9d3c-7a5c-b6ce-4c1f2a3b4c5d 0193522e9d3c7a5cb6ce4c1f2a3b4c5d'],
    ['the prefix of an API key', 'mrs_0aZ9bY8c'],
    [
      'identifiers in code',
      'at NoVersionOrUpdateDateColumnError.find (AddShareLinkControl1764000000000.js:1:2)',
    ],
    ['placeholders of statements', 'SELECT token = $1, password_hash=$2 FROM share_links WHERE token=$1'],
    ['codes and paths', 'SHARE_PASSWORD_WRONG for /s/:token, /api/v1/recordings/1/share-links'],
    ['sentences', 'password: must have 8 characters; send "Authorization: Bearer <API_KEY>"'],
    ['URLs with a port', 'http://localhost:3000/a@b'],
    ['digests', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ])('%s', (_, text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a redacted line', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          '"',
          '\\',
          '\\n',
          '\n',
          '%',
          'token=',
          'password":"',
          '\\"secret\\":\\"',
          '://a:',
          '@',
        ),
        fc.constantFrom(TOKEN, KEY, SIGNATURE),
      ),
    )
    .map((parts) => parts.join(''));

  it('is valid JSON whatever it contains, without any separate secret', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const line = redact(JSON.stringify({ msg: before, alone: `${before} ${TOKEN} ${after}` }));
        const { alone } = JSON.parse(line) as { alone: string };
        expect(alone).not.toContain(` ${TOKEN} `);
      }),
      { numRuns: runs(50) },
    );
  });
});
