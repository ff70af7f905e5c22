// The media URLs, and the engines that can play them: the browser's own HLS, hls.js, or the plain file.
import { make } from './dom.js';

/** @import { Engine, HlsLibrary, SharedRecording, Support } from './types.js' */

/** Signed URLs of the media. Renewed URLs are valid for as long as the first ones were. */
export class MediaUrls {
  /** @type {string | null} */
  hls;
  /** @type {string | null} */
  file;
  #lifetime;
  /** In milliseconds on the browser's clock. */
  expiresAt;
  /** Where the page finds a URL of the service. */
  addressOf;

  /** @param {string | null} hls @param {string | null} file @param {number | null} expiresIn @param {typeof pathOf} [addressOf] */
  constructor(hls, file, expiresIn, addressOf = pathOf) {
    this.addressOf = addressOf;
    [this.hls, this.file] = [hls, file];
    this.#lifetime = expiresIn ?? Infinity;
    this.expiresAt = Date.now() + this.#lifetime;
  }

  /** @param {SharedRecording} recording */
  renew({ hlsUrl, videoUrl }) {
    this.hls = this.addressOf(hlsUrl);
    this.file = this.addressOf(videoUrl) ?? this.file;
    this.expiresAt = Date.now() + this.#lifetime;
  }
}

/** The URL without its origin, as recipients may use another host name. @param {string | null | undefined} url */
export function pathOf(url) {
  if (!url) return null;
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
}

/**
 * Engines in the order in which they are tried. The browser's own HLS comes first where it supports AirPlay (Safari), or where hls.js
 * cannot run; elsewhere, hls.js reports errors in detail, so that a rejected URL can be renewed immediately.
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

/** Loads hls.js once; resolves to null if it cannot be loaded. @param {string} src @param {string} nonce @returns {() => Promise<HlsLibrary | null>} */
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
