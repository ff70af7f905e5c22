import { describe, expect, it } from '@jest/globals';
import {
  captionsPlaylist,
  renditionOf,
  withRendition,
} from '../../src/modules/media-delivery/hls-captions.js';

describe('captions in HLS', () => {
  it.each([
    ['en', 'NAME="English",LANGUAGE="en"'],
    ['de', 'NAME="Deutsch",LANGUAGE="de"'],
    ['zh-Hant', 'NAME="繁體中文",LANGUAGE="zh-Hant"'],
    ['EN-us', 'NAME="American English",LANGUAGE="en-US"'],
    ['qaa', 'NAME="qaa",LANGUAGE="qaa"'],
    ['und', 'NAME="Captions"'],
    [null, 'NAME="Captions"'],
    ['', 'NAME="Captions"'],
    ['english', 'NAME="english",LANGUAGE="english"'],
    ['a-1', 'NAME="Captions"'],
    ['de",URI="https://example.com', 'NAME="Captions"'],
    ['de\n#EXT-X-ENDLIST', 'NAME="Captions"'],
  ])('of the language %j are named for players', (language, named) => {
    const rendition = renditionOf({ language });
    expect(rendition).toContain(`GROUP-ID="captions",${named},DEFAULT=NO,`);
    expect(rendition).not.toContain('\n');
  });

  it('belong to every stream, and are named once', () => {
    const playlist =
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb.m3u8\n';
    expect(withRendition(playlist, '#EXT-X-MEDIA:$&')).toBe(
      '#EXTM3U\n#EXT-X-MEDIA:$&\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="captions"\na.m3u8\n' +
        '#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES="captions"\nb.m3u8\n',
    );
  });

  it.each([
    [0.2, 1, '0.2'],
    [18.3513, 19, '18.351'],
    [90_000, 90_000, '90000'],
  ])('are one segment as long as the media: %d s', (seconds, target, length) => {
    const lines = captionsPlaylist(seconds).split('\n');
    expect(lines).toContain(`#EXT-X-TARGETDURATION:${target}`);
    expect(lines).toContain(`#EXTINF:${length},`);
  });
});
