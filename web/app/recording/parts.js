import { setText } from '../../share/scripts/dom.js';
import { formatClock } from '../../share/scripts/moments.js';
import { Navigation } from '../../share/scripts/navigation.js';
import { Player } from '../../share/scripts/player.js';
import { Search } from '../../share/scripts/search.js';
import { Transcript } from '../../share/scripts/transcript.js';
import { t } from '../text.js';
import { SHARED } from '../texts/recording.js';
import { ApiSource } from './source.js';

/** @import { Chapters } from '../../share/scripts/navigation.js' */
/** @import { TranscriptFollower } from '../../share/scripts/transcript-follower.js' */

/** The components of one view that are shared with share pages. They come and go with what they show; `end` ends all. */
export class Parts {
  #ending = new AbortController();
  signal = this.#ending.signal;
  source;
  /** @type {HTMLVideoElement | null} */
  video = null;
  /** @type {Player | null} */
  player = null;
  /** @type {TranscriptFollower | null} */
  follower = null;
  /** @type {Search | null} */
  search = null;
  /** @type {Chapters | null} */
  chapters = null;
  /** @type {number | null} Seconds. */
  duration = null;
  navigation = new Navigation(this);

  /** @param {string} id of the recording */
  constructor(id) {
    this.source = new ApiSource(id, this.signal);
  }

  /** The position has changed, by playback or by a jump. @param {number} seconds */
  onMove = (seconds) => {
    this.follower?.mark(seconds);
    this.chapters?.mark(seconds);
    setText('copy-time', formatClock(seconds));
  };

  end() {
    this.#ending.abort();
  }
}

for (const [component, texts] of /** @type {const} */ ([
  [Player, SHARED.player],
  [Navigation, SHARED.navigation],
  [Search, SHARED.search],
  [Transcript, SHARED.transcript],
]))
  for (const [key, text] of Object.entries(texts)) Object.assign(component.texts, { [key]: t(text) });
