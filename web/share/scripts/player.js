import { find, setText } from './dom.js';
import { detectSupport, enginesFor, pathOf } from './media.js';
import { MAX_TIMEOUT } from './share-link.js';

/** @import { MediaAddresses } from './media.js' */
/** @import { ShareLink } from './share-link.js' */
/** @import { Engine, HlsLibrary, HlsPlayer, SharedRecording } from './types.js' */
/** @typedef {{ link: ShareLink, addresses: MediaAddresses, loadHls: () => Promise<HlsLibrary | null>, onMove: (seconds: number) => void }} PlayerOptions */

/** A failure soon after the addresses were renewed is not one of the addresses. */
const RENEWED_MS = 10_000;

/** Plays the recording: picks an engine, renews addresses that have expired, and goes on where it was. */
export class Player {
  #video;
  #link;
  #addresses;
  #loadHls;
  /** @type {Engine | null} Null until something is played or sought. */
  #engine = null;
  /** @type {HlsPlayer | null} */
  #hls = null;
  /** @type {number | null} Where to go as soon as the media is there. */
  #pendingSeek = null;
  #playsWhenLoaded = false;
  #renewedAt = -Infinity;
  #isRecovering = false;

  /** @param {HTMLVideoElement} video @param {PlayerOptions} options */
  constructor(video, { link, addresses, loadHls, onMove }) {
    this.#video = video;
    this.#link = link;
    this.#addresses = addresses;
    this.#loadHls = loadHls;
    this.#prepare();
    video.addEventListener('play', () => {
      if (!this.isStarted) void this.#start(this.#engines()[0] ?? 'file', 0, true);
    });
    video.addEventListener('error', () => {
      if (this.#engine !== 'hls') void this.recover();
    });
    video.addEventListener('loadedmetadata', () => this.#onMetadata());
    for (const event of ['timeupdate', 'seeking']) video.addEventListener(event, () => onMove(this.position));
    document.addEventListener('visibilitychange', () => void this.#renewIfExpired());
    link.addEventListener('closed', () => this.#stop());
    this.#scheduleRenewal();
    this.#addControls();
  }

  /** Where the viewer is, or will be when the media has loaded. */
  get position() {
    return this.#pendingSeek ?? this.#video.currentTime;
  }

  get isStarted() {
    return this.#engine !== null;
  }

  /** @param {number} seconds @param {boolean} plays */
  seek(seconds, plays) {
    if (!this.isStarted) return void this.#start(this.#engines()[0] ?? 'file', seconds, plays);
    if (this.#video.readyState > 0) this.#video.currentTime = seconds;
    else [this.#pendingSeek, this.#playsWhenLoaded] = [seconds, this.#playsWhenLoaded || plays];
    if (plays) this.play();
  }

  play() {
    // A browser may want a click first; the controls are there.
    this.#video.play().catch(() => undefined);
  }

  /**
   * Goes on in the same place with new addresses, as the old ones may have expired: once in ten seconds. Otherwise the next
   * engine is tried.
   * @param {boolean} [isUndecodable]
   */
  async recover(isUndecodable = false) {
    if (!this.#engine || this.#isRecovering || this.#link.isClosed) return;
    this.#isRecovering = true;
    // What is buffered plays on meanwhile, and the viewer may seek.
    this.#hls?.stopLoad();
    const share = await this.#link.fetchShare();
    this.#isRecovering = false;
    if (this.#link.isClosed) return;
    if (!share) return this.#showTrouble("Can't reach the recording. Check your connection and try again.");
    this.#renew(share.recording);
    const isRetry = !isUndecodable && performance.now() - this.#renewedAt > RENEWED_MS;
    if (isRetry) this.#renewedAt = performance.now();
    const engines = this.#engines();
    const next = isRetry ? this.#engine : engines[engines.indexOf(this.#engine) + 1];
    if (!next) return this.#showTrouble("This browser can't play the recording. Try another browser.");
    await this.#start(next, this.position, this.#playsWhenLoaded || !this.#video.paused);
  }

  #engines() {
    return enginesFor(this.#addresses.hls !== null, detectSupport(this.#video));
  }

  /** Before it is played. The source costs nothing yet, and need not change under the viewer's finger. */
  #prepare() {
    const [first] = this.#engines();
    if (first === 'native' && this.#addresses.hls) this.#video.src = this.#addresses.hls;
    if (first === 'hls')
      this.#video.addEventListener('pointerenter', () => void this.#loadHls(), { once: true });
  }

  #addControls() {
    find('again', HTMLElement)?.addEventListener('click', () => void this.recover());
    addEventListener('online', () => {
      if (find('trouble', HTMLElement)?.hidden === false) void this.recover();
    });
    const speed = find('speed', HTMLSelectElement);
    speed?.addEventListener('change', () => {
      this.#video.defaultPlaybackRate = this.#video.playbackRate = Number(speed.value);
    });
  }

  /** @param {Engine} engine @param {number} seconds @param {boolean} plays @returns {Promise<void>} */
  async #start(engine, seconds, plays) {
    if (this.#link.isClosed) return;
    this.#engine = engine;
    this.#pendingSeek = seconds;
    this.#playsWhenLoaded = plays;
    this.#showTrouble(null);
    this.#hls?.destroy();
    this.#hls = null;
    this.#video.preload = 'auto';
    if (engine === 'hls') {
      // Nothing else shall play while the library loads.
      this.#video.removeAttribute('src');
      this.#video.load();
      const Hls = await this.#loadHls();
      if (this.#engine !== 'hls' || this.#hls || this.#link.isClosed) return;
      if (!Hls?.isSupported()) {
        return this.#start('file', this.#pendingSeek ?? seconds, this.#playsWhenLoaded);
      }
      this.#attach(Hls, this.#pendingSeek ?? seconds);
    } else {
      const address = (engine === 'native' ? this.#addresses.hls : this.#addresses.file) ?? '';
      // The page may have it already; what is loading goes on.
      if (this.#video.getAttribute('src') !== address || this.#video.error) this.#video.src = address;
    }
    if (this.#playsWhenLoaded) this.play();
  }

  /** @param {HlsLibrary} Hls @param {number} startPosition */
  #attach(Hls, startPosition) {
    const hls = new Hls({ enableWorker: false, startPosition });
    this.#hls = hls;
    hls.on(Hls.Events.ERROR, (_, { fatal, type, response }) => {
      // hls.js would try a refused address again and again.
      const isRefused = [403, 404, 410].includes(response?.code ?? 0);
      if (fatal || isRefused) void this.recover(type === Hls.ErrorTypes.MEDIA_ERROR);
    });
    hls.loadSource(this.#addresses.hls ?? '');
    hls.attachMedia(this.#video);
  }

  #onMetadata() {
    const seconds = this.#pendingSeek;
    if (seconds !== null && Math.abs(this.#video.currentTime - seconds) > 0.25)
      this.#video.currentTime = seconds;
    this.#pendingSeek = null;
    this.#playsWhenLoaded = false;
  }

  #stop() {
    this.#hls?.destroy();
    this.#hls = null;
    this.#video.pause();
    this.#video.removeAttribute('src');
    this.#video.load();
  }

  /** @param {SharedRecording} recording */
  #renew(recording) {
    this.#addresses.renew(recording);
    const [poster, download] = [pathOf(recording.thumbnailUrl), pathOf(recording.downloadUrl)];
    const button = find('download', HTMLAnchorElement);
    if (button && download) button.href = download;
    if (poster && !this.isStarted) this.#video.poster = poster;
  }

  /** After a night in the background the addresses have expired, and perhaps the link. */
  async #renewIfExpired() {
    const expiresAt = Math.min(this.#addresses.expiresAt, this.#link.expiresAt);
    if (document.visibilityState !== 'visible' || Date.now() < expiresAt) return;
    const share = await this.#link.fetchShare();
    if (!share) return;
    this.#renew(share.recording);
    if (this.#engine) await this.#start(this.#engine, this.position, !this.#video.paused);
    else if (this.#addresses.file) this.#video.src = this.#addresses.file;
  }

  /** Downloads and the poster still work for someone who reads for long; what plays renews its own addresses. */
  #scheduleRenewal() {
    const left = this.#addresses.expiresAt - Date.now();
    if (left === Infinity || this.#link.isClosed) return;
    const renew = async () => {
      const share = document.visibilityState === 'visible' ? await this.#link.fetchShare() : null;
      if (share) this.#renew(share.recording);
      this.#scheduleRenewal();
    };
    setTimeout(() => void renew(), Math.min(Math.max(left * 0.8, 5_000), MAX_TIMEOUT));
  }

  /** @param {string | null} text */
  #showTrouble(text) {
    const line = find('trouble', HTMLElement);
    if (line) line.hidden = text === null;
    setText('trouble-text', text ?? '');
  }
}
