import { MediaUrls } from '../share/scripts/media.js';
import { Chapters, Navigation } from '../share/scripts/navigation.js';
import { Player } from '../share/scripts/player.js';
import { TranscriptFollower } from '../share/scripts/transcript-follower.js';
import { Transcript } from '../share/scripts/transcript.js';
import { SHARED } from '../app/texts/recording.js';
import { isAddress, RemoteSource } from './source.js';
import { styles } from './styles.js';
import { isComing, refusalOf, sayAll, TEXTS } from './texts.js';
import { h, message, pageOf } from './view.js';

/** @import { Text } from '../app/text.js' */
/** @import { MeetingPlayerElement as Declared, Refusal, Segment } from './types.js' */
/** @import { Opened } from './source.js' */

/** How often to look whether what is being made is there. */
const LOOK_MS = 10_000;
const BAD_SRC = 'src must be https://HOST/api/v1/recordings/ID or https://HOST/s/TOKEN';
const ALL = { revision: null, fromChunk: 0, toChunk: 0, totalChunks: Infinity };

/** hls.js is an optional dependency: where the host has none, the file itself is played. */
async function loadHls() {
  try {
    return (await import('hls.js/light')).default;
  } catch {
    return null;
  }
}

/** @param {Opened} opened */
const stateOf = ({ recording: { media, status }, words }) => `${media} ${status} ${words?.status}`;

/** What it is for its host: `types.d.ts`. @implements {Declared} */
export class MeetingPlayerElement extends HTMLElement {
  static observedAttributes = ['src', 'token', 'lang'];
  #root = this.attachShadow({ mode: 'open' });
  #ending = new AbortController();
  #token = '';
  #password = '';
  /** @type {{ video: HTMLVideoElement | null, player: Player | null, navigation: Navigation } | null} */
  #shown = null;

  connectedCallback() {
    this.#root.adoptedStyleSheets = [styles];
    this.#open();
  }

  disconnectedCallback() {
    this.#ending.abort();
  }

  /** @param {string} name @param {string | null} _before @param {string | null} value */
  attributeChangedCallback(name, _before, value) {
    if (name === 'token') this.token = value ?? '';
    else this.#open();
  }

  get src() {
    return this.getAttribute('src') ?? '';
  }

  set src(value) {
    this.setAttribute('src', value);
  }

  set token(/** @type {string} */ value) {
    this.#token = value;
    if (!this.#shown) this.#open();
    // What was refused continues.
    for (const button of this.#root.querySelectorAll(
      'button:is(#again, #load-again):not([hidden], [hidden] *)',
    ))
      /** @type {HTMLButtonElement} */ (button).click();
  }

  set password(/** @type {string} */ value) {
    this.#password = value;
    this.#open();
  }

  get currentTime() {
    return this.#shown?.player?.position ?? 0;
  }

  set currentTime(seconds) {
    this.#shown?.navigation.jump(seconds);
  }

  /** @param {number} seconds */
  seek(seconds) {
    this.#shown?.navigation.goTo(seconds);
  }

  play() {
    this.#shown?.player?.play();
  }

  pause() {
    this.#shown?.video?.pause();
  }

  /** Opens it anew, once for all that changes at a time. @param {0 | 1} [from] of `RemoteSource.open` */
  #open(from = 0) {
    this.#ending.abort();
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    this.#shown = null;
    this.#root.replaceChildren();
    queueMicrotask(() => {
      if (signal.aborted || !this.isConnected || this.src === '') return;
      if (isAddress(this.src)) void this.#load(from, signal);
      else this.#refuse({ code: 'INVALID_SRC', status: 0, message: BAD_SRC }, true);
    });
  }

  /** @param {0 | 1} from @param {AbortSignal} signal */
  async #load(from, signal) {
    this.#root.replaceChildren(message(this.#say(TEXTS.loading)));
    const source = new RemoteSource(this.src, () => this.#token, signal);
    source.addEventListener('refused', (event) => {
      const { detail } = /** @type {CustomEvent<Refusal>} */ (event);
      if (!signal.aborted) this.#refuse(detail, source.isClosed);
    });
    const opened = await source.open(from, this.#password);
    if (opened && !signal.aborted) this.#show(opened, source, signal);
  }

  /** @param {Opened} opened @param {RemoteSource} source @param {AbortSignal} signal */
  #show(opened, source, signal) {
    const { title, duration, media } = opened.recording;
    const root = this.#root;
    root.replaceChildren(pageOf(opened, source.addressOf, this.#say));
    const [video, rows] = [root.querySelector('video'), root.getElementById('rows')];
    const chapters = new Chapters(root);
    const transcript = rows && new Transcript(rows, sayAll(SHARED.transcript, this.#say));
    const follower = transcript && new TranscriptFollower(transcript);
    /** @type {Segment[]} */
    const segments = [];
    let spoken = -1;
    const onMove = (/** @type {number} */ seconds) => {
      follower?.mark(seconds);
      chapters.mark(seconds);
      this.#emit('timeupdate', { currentTime: seconds });
      const segment = segments[transcript?.current ?? -1];
      if (!segment || segment.id === spoken) return;
      spoken = segment.id;
      this.#emit('segment', { segment });
    };
    const player = video && this.#playerOf(video, opened, { source, onMove, signal });
    const navigation = new Navigation({ root, video, player, follower, duration, onMove, signal });
    this.#shown = { video, player, navigation };
    if (transcript) {
      transcript.unknown = this.#say(TEXTS.unknown);
      transcript.onRow = (row, /** @type {any} Of the API, not only of share pages. */ segment) => {
        segments.push(segment);
        row.part.add('segment');
        row.querySelector('b')?.part.add('speaker');
      };
      const onPage = () => follower?.update();
      void transcript.load(source, ALL, { onRows: () => {}, onPage, onSuperseded: () => this.#open(1) });
    }
    if (media === 'pending' || isComing(opened.words)) this.#await(opened, source, signal);
    const start = Number(this.getAttribute('start'));
    if (start > 0) navigation.goTo(start, false);
    this.#emit('ready', { title, duration });
  }

  /** @param {HTMLVideoElement} video @param {Opened} opened @param {{ source: RemoteSource, signal: AbortSignal, onMove: (seconds: number) => void }} options */
  #playerOf(video, { recording: { hlsUrl, videoUrl, downloadUrlExpiresAt: end } }, options) {
    const { addressOf } = options.source;
    const expiresIn = end ? Date.parse(end) - Date.now() : null;
    const urls = new MediaUrls(addressOf(hlsUrl), addressOf(videoUrl), expiresIn, addressOf);
    return new Player(video, { ...options, urls, loadHls, texts: sayAll(SHARED.player, this.#say) });
  }

  /** Shows what has been made, unless it is being watched. @param {Opened} opened @param {RemoteSource} source @param {AbortSignal} signal */
  #await(opened, source, signal) {
    const look = async () => {
      if (document.hidden || this.#shown?.player?.isStarted) return;
      const now = await source.open(1);
      if (now && !signal.aborted && stateOf(now) !== stateOf(opened)) this.#open(1);
    };
    const timer = setInterval(() => void look(), LOOK_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** Says so in place of the recording, unless that can still be used. @param {Refusal} refusal @param {boolean} isFinal */
  #refuse(refusal, isFinal) {
    if (isFinal) this.#ending.abort();
    if (isFinal || !this.#shown) {
      const again = h('button', { hidden: isFinal ? '' : null }, this.#say(TEXTS.tryAgain));
      again.addEventListener('click', () => this.#open());
      this.#shown = null;
      this.#root.replaceChildren(message(this.#say(refusalOf(refusal)), again));
    }
    this.#emit('error', refusal);
  }

  /** @param {Text} text */
  #say = (text) => text[/^de\b/i.test(this.closest('[lang]')?.getAttribute('lang') ?? '') ? 1 : 0];

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

customElements.define('meeting-player', MeetingPlayerElement);
