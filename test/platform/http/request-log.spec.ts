import { describe, expect, it } from '@jest/globals';
import { maskPath } from '../../../src/contract/secret-paths.js';
import { loggedPath } from '../../../src/platform/http/server/request-log.js';

describe('the path in the log', () => {
  it.each([
    ['/api/v1/recordings?search=merger', '/api/v1/recordings'],
    ['/s/TOKEN', '/s/:token'],
    ['/s/TOKEN?password=x', '/s/:token'],
    ['/S/TOKEN/captions.vtt', '/S/:token/captions.vtt'],
    ['/s//TOKEN', '/s/:token'],
    ['/base/s/TOKEN/', '/base/s/:token/'],
    ['/api/v1/shares/TOKEN/access', '/api/v1/shares/:token/access'],
    ['/api/v1/recordings/1/share-links/2', '/api/v1/recordings/1/share-links/2'],
    ['/media/1/hls/9.SIGNATURE/master.m3u8', '/media/1/hls/:token/master.m3u8'],
    ['/MEDIA/1/HLS/9.SIGNATURE', '/MEDIA/1/HLS/:token'],
    ['/sign-in/link/TOKEN?to=/join/TOKEN', '/sign-in/link/:token'],
    ['/base/sign-in//link//TOKEN/', '/base/sign-in//link/:token/'],
    ['/sign-in/mail', '/sign-in/mail'],
    ['/media/1/video?signature=x', '/media/1/video'],
  ])('of %s is %s', (url, path) => {
    expect(loggedPath(url, maskPath)).toBe(path);
  });
});
