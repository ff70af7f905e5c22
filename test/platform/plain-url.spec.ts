import { expect, it } from '@jest/globals';
import { plainUrl } from '../../src/platform/http/plain-url.js';

it.each([
  ['/api/v1/recordings', '/api/v1/recordings'],
  ['//api/v1/recordings', '/api/v1/recordings'],
  ['/api//v1///recordings//', '/api/v1/recordings'],
  ['/api/v1/recordings/?limit=1', '/api/v1/recordings?limit=1'],
  // Of a query, nothing changes.
  ['/api/v1/recordings?search=a//b/', '/api/v1/recordings?search=a//b/'],
  ['//api/v1/recordings/?search=a//b/', '/api/v1/recordings?search=a//b/'],
  ['/', '/'],
  ['///', '/'],
  ['//?a=/', '/?a=/'],
  ['/docs', '/docs'],
  ['//docs//', '/docs/'],
  ['/s/token/', '/s/token'],
  // Neither of these is an empty segment.
  ['/api/v1/recordings/%2F/', '/api/v1/recordings/%2F'],
  ['/api/v1/./recordings/../', '/api/v1/./recordings/..'],
  ['*', '*'],
  ['http://localhost//api/v1/', 'http://localhost//api/v1/'],
  ['', ''],
])('%s is %s', (url, plain) => {
  expect(plainUrl(url)).toBe(plain);
  expect(plainUrl(plain)).toBe(plain);
});
