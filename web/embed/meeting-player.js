import { COMMON } from '../app/texts/common.js';
import { SHARED, TRANSCRIPT } from '../app/texts/recording.js';
import { MediaUrls } from '../share/scripts/media.js';
import { Chapters, Navigation } from '../share/scripts/navigation.js';
import { Player } from '../share/scripts/player.js';
import { TranscriptFollower } from '../share/scripts/transcript-follower.js';
import { Transcript } from '../share/scripts/transcript.js';
import { RemoteSource } from './source.js';
import { styles } from './styles.js';
import { h, message, pageOf, refusalOf } from './view.js';

/** @import { Text } from '../app/text.js' */
/** @import { MeetingPlayerElement as Declared, Segment } from './types.js' */
/** @import { Opened } from './source.js' */

const ALL = { revision: null, fromChunk: 0, toChunk: 0, totalChunks: Infinity };

/** hls.js is an optional dependency: where the host has none, the file itself is played. */
const loadHls = () =>
  // No string: the bundler would repeat its import at the top.
  import(`hls.js/light`).then(
    ({ default: Hls }) => Hls,
    () => null,
  );

/** What it is for its host: `types.d.ts`. @implements {Declared} */
export class MeetingPlayerElement extends HTMLElement {
  static observedAttributes = ['src', 'token', 'lang'];
  #root = this.attachShadow({ mode: 'open' });
  #ending = new AbortController();
  #token = '';
  #password = '';
  /** @type {{ player: Player | null, navigation: Navigation } | null} */
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
    for (const button of this.#root.querySelectorAll('button'))
      if (button.id !== 'follow' && !button.closest('[hidden]')) button.click();
  }

  set password(/** @type {string} */ value) {
    this.#password = value;
    this.#open();
  }

  get currentTime() {
    return this.#shown?.player?.position ?? 0;
  }

  /** @param {number} seconds */
  seek(seconds) {
    this.#shown?.navigation.goTo(seconds);
  }

  play() {
    this.#shown?.player?.play();
  }

  pause() {
    this.#root.querySelector('video')?.pause();
  }

  /** Opens it anew, once for all that changes at a time. */
  #open() {
    this.#ending.abort();
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    this.#shown = null;
    this.#root.replaceChildren();
    queueMicrotask(() => {
      if (!signal.aborted && this.isConnected && this.src !== '') void this.#load(signal);
    });
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    this.#root.replaceChildren(message(this.#say(COMMON.loading)));
    const source = new RemoteSource(this.src, {
      signal,
      token: () => this.#token,
      onRefused: (refusal) => {
        if (source.isClosed) this.#ending.abort();
        if (source.isClosed || !this.#shown) this.#showRefusal(refusalOf(refusal), source.isClosed);
        this.#emit('error', refusal);
      },
    });
    const opened = await source.open(this.#password);
    if (opened && !signal.aborted) this.#show(opened, source, signal);
  }

  /** @param {Opened} opened @param {RemoteSource} source @param {AbortSignal} signal */
  #show(opened, source, signal) {
    const { title, duration, hlsUrl, videoUrl } = opened.recording;
    const { addressOf } = source;
    const root = this.#root;
    root.replaceChildren(pageOf(opened, addressOf, this.#say));
    const [video, rows] = [root.querySelector('video'), root.getElementById('rows')];
    const chapters = new Chapters(root);
    const transcript = rows && new Transcript(rows, this.#sayAll(SHARED.transcript));
    const follower = transcript && new TranscriptFollower(transcript);
    /** @type {Segment[]} */
    const segments = [];
    /** @type {Segment | undefined} */
    let spoken;
    const onMove = (/** @type {number} */ seconds) => {
      follower?.mark(seconds);
      chapters.mark(seconds);
      this.#emit('timeupdate', { currentTime: seconds });
      const segment = segments[transcript?.current ?? -1];
      if (segment && segment !== spoken) this.#emit('segment', { segment });
      spoken = segment;
    };
    const urls = new MediaUrls(addressOf(hlsUrl), addressOf(videoUrl), null, addressOf);
    const texts = this.#sayAll(SHARED.player);
    const player = video && new Player(video, { source, urls, loadHls, onMove, signal, texts });
    const navigation = new Navigation({ root, video, player, follower, duration, onMove, signal });
    this.#shown = { player, navigation };
    if (transcript) {
      transcript.unknown = this.#say(TRANSCRIPT.unknown);
      transcript.onRow = (row, /** @type {any} Of the API, not only of share pages. */ segment) => {
        segments.push(segment);
        row.part.add('segment');
        row.querySelector('b')?.part.add('speaker');
      };
      void transcript.load(source, ALL, {
        onRows: () => {},
        onPage: () => follower?.update(),
        onSuperseded: () => this.#open(),
      });
    }
    const start = Number(this.getAttribute('start'));
    if (start > 0) navigation.goTo(start, false);
    this.#emit('ready', { title, duration });
  }

  /** @param {Text} text @param {boolean} isFinal whether it is useless to try again */
  #showRefusal(text, isFinal) {
    const again = h('button', {}, this.#say(COMMON.tryAgain));
    again.addEventListener('click', () => this.#open());
    this.#shown = null;
    this.#root.replaceChildren(message(this.#say(text), ...(isFinal ? [] : [again])));
  }

  /** @param {Text} text */
  #say = (text) => text[/^de\b/i.test(this.closest('[lang]')?.getAttribute('lang') ?? '') ? 1 : 0];

  /** @template {string} K @param {Readonly<Record<K, Text>>} texts */
  #sayAll(texts) {
    const said = Object.entries(texts).map(([name, text]) => [name, this.#say(text)]);
    return /** @type {Record<K, string>} */ (Object.fromEntries(said));
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

customElements.define('meeting-player', MeetingPlayerElement);
