import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { enginesFor, MediaUrls, pathOf } from '../../../web/share/scripts/media.js';

const NOTHING = { nativeHls: false, mediaSource: false, airPlay: false };
const SAFARI = { nativeHls: true, mediaSource: true, airPlay: true };
const OLD_IPHONE = { nativeHls: true, mediaSource: false, airPlay: true };
const CHROMIUM = { nativeHls: true, mediaSource: true, airPlay: false };
const FIREFOX = { nativeHls: false, mediaSource: true, airPlay: false };

describe('media of the share page', () => {
  it.each([
    ['Safari', SAFARI, ['native', 'file']],
    ['an old iPhone', OLD_IPHONE, ['native', 'file']],
    ['Chromium', CHROMIUM, ['hls', 'file']],
    ['Firefox', FIREFOX, ['hls', 'file']],
    ['a browser without HLS', NOTHING, ['file']],
  ])('in %s is tried in its best order', (_, support, engines) => {
    expect(enginesFor(true, support)).toEqual(engines);
  });

  it('is the file alone where there is no HLS of the recording', () => {
    expect(enginesFor(false, SAFARI)).toEqual(['file']);
  });

  it('drops the host, which recipients may know by another name', () => {
    expect(pathOf('https://example.com/base/media/a?share=b&x=1')).toBe('/base/media/a?share=b&x=1');
    expect([pathOf(null), pathOf(undefined), pathOf('')]).toEqual([null, null, null]);
  });

  describe('with URLs that expire', () => {
    beforeEach(() => {
      jest.useFakeTimers({ now: 1_000_000 });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('counts from when they were renewed, for as long as the first ones were good', () => {
      const urls = new MediaUrls('/hls?1', '/file?1', 60_000);
      expect(urls.expiresAt).toBe(1_060_000);
      jest.setSystemTime(1_050_000);
      urls.renew({
        status: 'COMPLETED',
        progress: 1,
        hlsUrl: 'https://host/hls?2',
        videoUrl: 'https://host/file?2',
      });
      expect(urls).toMatchObject({ hls: '/hls?2', file: '/file?2', expiresAt: 1_110_000 });
    });

    it('keeps the file where a reply has none, and forgets HLS that is gone', () => {
      const urls = new MediaUrls('/hls?1', '/file?1', null);
      urls.renew({ status: 'COMPLETED', progress: 1, hlsUrl: null, videoUrl: null });
      expect(urls).toMatchObject({ hls: null, file: '/file?1', expiresAt: Infinity });
    });
  });
});
