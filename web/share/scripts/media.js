// What there is to play, and what the video can play it from: the browser's own HLS, hls.js, or the file.
import { make } from './dom.js';

/** @import { Engine, HlsLibrary, SharedRecording } from './types.js' */
/** @typedef {{ nativeHls: boolean, mediaSource: boolean, airPlay: boolean }} Support */

/** Signed addresses of the media, each good for as long as the first ones were. */
export class MediaAddresses {
  /** @type {string | null} */
  hls;
  /** @type {string | null} */
  file;
  #lifetime;
  /** In milliseconds of this clock. */
  expiresAt;

  /** @param {string | null} hls @param {string | null} file @param {number | null} expiresIn */
  constructor(hls, file, expiresIn) {
    [this.hls, this.file] = [hls, file];
    this.#lifetime = expiresIn ?? Infinity;
    this.expiresAt = Date.now() + this.#lifetime;
  }

  /** @param {SharedRecording} recording */
  renew({ hlsUrl, videoUrl }) {
    this.hls = pathOf(hlsUrl);
    this.file = pathOf(videoUrl) ?? this.file;
    this.expiresAt = Date.now() + this.#lifetime;
  }
}

/** Addresses without their host: the recipient may know it by another name. @param {string | null | undefined} address */
export function pathOf(address) {
  if (!address) return null;
  const { pathname, search } = new URL(address, 'http://localhost');
  return pathname + search;
}

/**
 * Engines in the order in which they are tried. The browser's own HLS comes first where it is better: where it can play on a
 * television (AirPlay in Safari), or where hls.js cannot run. Chromium 156 plays HLS itself too, but hls.js tells what went
 * wrong, so that a refused address is renewed at once.
 * @param {boolean} hasHls @param {Support} support @returns {Engine[]}
 */
export function enginesFor(hasHls, { nativeHls, mediaSource, airPlay }) {
  if (!hasHls) return ['file'];
  if (nativeHls && (!mediaSource || airPlay)) return ['native', 'file'];
  return mediaSource ? ['hls', 'file'] : ['file'];
}

/** @param {HTMLVideoElement} video @returns {Support} */
export function detectSupport(video) {
  return {
    nativeHls: video.canPlayType('application/vnd.apple.mpegurl') !== '',
    mediaSource: 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis,
    airPlay: 'webkitShowPlaybackTargetPicker' in video,
  };
}

/** Loads hls.js, once; null when it does not load. @param {string} src @param {string} nonce @returns {() => Promise<HlsLibrary | null>} */
export function hlsLoader(src, nonce) {
  /** @type {Promise<HlsLibrary | null> | undefined} */
  let library;
  return () => {
    library ??= new Promise((resolve) => {
      const script = make('script', { nonce, src });
      script.addEventListener('load', () => resolve(globalThis.Hls ?? null));
      script.addEventListener('error', () => resolve(null));
      document.head.append(script);
    });
    return library;
  };
}
