import { find, MAX_TIMEOUT, rootOf, setText } from './dom.js';
import { detectSupport, enginesFor } from './media.js';

/** @import { Engine, HlsLibrary, HlsPlayer, PlayerOptions, SharedRecording } from './types.js' */
/** A failure this soon after the URLs were renewed has another cause. */
const RENEWED_MS = 10_000;

/** Plays the recording: chooses an engine, renews expired URLs and resumes at the same position. */
export class Player {
  static texts = {
    unreachable: "Can't reach the recording. Check your connection and try again.",
    unplayable: "This browser can't play the recording. Try another browser.",
  };
  #video;
  #source;
  #urls;
  loadHls;
  /** @type {Engine | null} Null until the first play or seek. */
  #engine = null;
  /** @type {HlsPlayer | null} */
  #hls = null;
  /** @type {number | null} Position to seek to once the media has loaded. */
  #pendingSeek = null;
  #playsWhenLoaded = false;
  #renewedAt = -Infinity;
  #isRecovering = false;
  /** @type {HTMLTrackElement | null} */
  #captions;
  #texts;
  #root;

  /** @param {HTMLVideoElement} video @param {PlayerOptions} options */
  constructor(video, { source, urls, loadHls, onMove, signal, texts = Player.texts }) {
    this.#video = video;
    this.#root = rootOf(video);
    this.#texts = texts;
    this.#source = source;
    this.#urls = urls;
    this.loadHls = loadHls;
    this.#captions = video.querySelector('track');
    this.#prepare();
    video.addEventListener('play', () => {
      if (!this.isStarted) void this.#start(this.#engines()[0] ?? 'file', 0, true);
    });
    video.addEventListener('error', () => {
      if (this.#engine !== 'hls') void this.recover();
    });
    video.addEventListener('loadedmetadata', () => this.#onMetadata());
    for (const event of ['timeupdate', 'seeking']) video.addEventListener(event, () => onMove(this.position));
    document.addEventListener('visibilitychange', () => void this.#renewIfExpired(), { signal });
    source.addEventListener('closed', () => this.#stop());
    this.#scheduleRenewal();
    this.#addControls(signal);
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

  get isPlaying() {
    return !this.#video.paused;
  }

  /** Whether it was started and is not playing: the viewer has paused it, or wants to read. */
  get isPaused() {
    return this.isStarted && this.#video.paused;
  }

  toggle() {
    if (this.#video.paused) this.play();
    else this.#video.pause();
  }

  play() {
    // A browser may require a click first; the viewer can use the controls.
    this.#video.play().catch(() => undefined);
  }

  /**
   * Resumes at the same position with new URLs, as the old ones may have expired. If that was done less than ten seconds ago,
   * tries the next engine instead.
   * @param {boolean} [isUndecodable]
   */
  async recover(isUndecodable = false) {
    if (!this.#engine || this.#isRecovering || this.#source.isClosed) return;
    this.#isRecovering = true;
    // Buffered media continues to play meanwhile, and the viewer may seek.
    this.#hls?.stopLoad();
    const recording = await this.#source.fetchRecording();
    this.#isRecovering = false;
    if (this.#source.isClosed) return;
    if (!recording) return this.#showTrouble(this.#texts.unreachable);
    this.#renew(recording);
    const isRetry = !isUndecodable && performance.now() - this.#renewedAt > RENEWED_MS;
    if (isRetry) this.#renewedAt = performance.now();
    const engines = this.#engines();
    const next = isRetry ? this.#engine : engines[engines.indexOf(this.#engine) + 1];
    if (!next) return this.#showTrouble(this.#texts.unplayable);
    await this.#start(next, this.position, this.#playsWhenLoaded || !this.#video.paused);
  }

  #engines() {
    return enginesFor(this.#urls.hls !== null, detectSupport(this.#video));
  }

  /** Sets the source before playback starts, so that it need not change when the viewer presses play. This loads nothing yet. */
  #prepare() {
    const [first] = this.#engines();
    if (first === 'native') this.#setSource(first);
    if (first === 'hls')
      this.#video.addEventListener('pointerenter', () => void this.loadHls(), { once: true });
  }

  /** @param {AbortSignal} [signal] */
  #addControls(signal) {
    find('again', HTMLElement, this.#root)?.addEventListener('click', () => void this.recover(), { signal });
    const onOnline = () => {
      if (find('trouble', HTMLElement, this.#root)?.hidden === false) void this.recover();
    };
    addEventListener('online', onOnline, { signal });
    const speed = find('speed', HTMLSelectElement, this.#root);
    const setSpeed = () => {
      this.#video.defaultPlaybackRate = this.#video.playbackRate = Number(speed?.value);
    };
    speed?.addEventListener('change', setSpeed, { signal });
  }

  /** @param {Engine} engine @param {number} seconds @param {boolean} plays @returns {Promise<void>} */
  async #start(engine, seconds, plays) {
    if (this.#source.isClosed) return;
    this.#engine = engine;
    this.#pendingSeek = seconds;
    this.#playsWhenLoaded = plays;
    this.#showTrouble(null);
    this.#hls?.destroy();
    this.#hls = null;
    this.#video.preload = 'auto';
    if (engine === 'hls') {
      // Nothing else may play while the library loads.
      this.#video.removeAttribute('src');
      this.#video.load();
      const Hls = await this.loadHls();
      if (this.#engine !== 'hls' || this.#hls || this.#source.isClosed) return;
      if (!Hls?.isSupported()) {
        return this.#start('file', this.#pendingSeek ?? seconds, this.#playsWhenLoaded);
      }
      this.#attach(Hls, this.#pendingSeek ?? seconds);
    } else {
      this.#setSource(engine);
    }
    if (this.#playsWhenLoaded) this.play();
  }

  /** @param {'native' | 'file'} engine */
  #setSource(engine) {
    const url = (engine === 'native' ? this.#urls.hls : this.#urls.file) ?? '';
    // The browser's own HLS has the same captions, which would be in its menu twice.
    if (engine === 'native') this.#captions?.remove();
    else if (this.#captions && !this.#captions.isConnected) this.#video.append(this.#captions);
    // The source may be set already; setting it again would restart loading.
    if (this.#video.getAttribute('src') !== url || this.#video.error) this.#video.src = url;
  }

  /** @param {HlsLibrary} Hls @param {number} startPosition */
  #attach(Hls, startPosition) {
    const hls = new Hls({ enableWorker: false, startPosition });
    this.#hls = hls;
    hls.on(Hls.Events.ERROR, (_, { fatal, type, response }) => {
      // hls.js would keep retrying a rejected URL.
      const isRefused = [403, 404, 410].includes(response?.code ?? 0);
      if (fatal || isRefused) void this.recover(type === Hls.ErrorTypes.MEDIA_ERROR);
    });
    hls.loadSource(this.#urls.hls ?? '');
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
    this.#urls.renew(recording);
    const { addressOf } = this.#urls;
    const [poster, download] = [addressOf(recording.thumbnailUrl), addressOf(recording.downloadUrl)];
    const button = find('download', HTMLAnchorElement, this.#root);
    if (button && download) button.href = download;
    if (poster && !this.isStarted) this.#video.poster = poster;
  }

  /** After a long time in the background, the URLs have expired, and perhaps the link too. */
  async #renewIfExpired() {
    const expiresAt = Math.min(this.#urls.expiresAt, this.#source.expiresAt);
    if (document.visibilityState !== 'visible' || Date.now() < expiresAt) return;
    const recording = await this.#source.fetchRecording();
    if (!recording) return;
    this.#renew(recording);
    if (this.isStarted) this.restart();
    else if (this.#urls.file) this.#video.src = this.#urls.file;
  }

  restart() {
    void this.#start(this.#engine ?? 'file', this.position, this.isPlaying);
  }

  /** Keeps downloads and the poster working for someone who reads for a long time; playback renews its own URLs. */
  #scheduleRenewal() {
    const left = this.#urls.expiresAt - Date.now();
    if (left === Infinity || this.#source.isClosed) return;
    const renew = async () => {
      const recording = document.visibilityState === 'visible' ? await this.#source.fetchRecording() : null;
      if (recording) this.#renew(recording);
      this.#scheduleRenewal();
    };
    setTimeout(() => void renew(), Math.min(Math.max(left * 0.8, 5_000), MAX_TIMEOUT));
  }

  /** @param {string | null} text */
  #showTrouble(text) {
    const line = find('trouble', HTMLElement, this.#root);
    if (line) line.hidden = text === null;
    setText('trouble-text', text ?? '', this.#root);
  }
}
