import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addCaptions } from '../../share/scripts/controls.js';
import { find } from '../../share/scripts/dom.js';
import { hlsLoader, MediaUrls, pathOf } from '../../share/scripts/media.js';
import { Player } from '../../share/scripts/player.js';
import { addVoices } from '../../share/scripts/voices.js';
import { facts } from '../facts.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON, REASONS } from '../texts/common.js';
import { STAGE, STATUSES } from '../texts/recording.js';
import { ApiSource } from './source.js';
import { isPlayable } from './states.js';

/** @import { Parts } from './parts.js' */
/** @import { Recording } from './states.js' */

const loadHls = hlsLoader(facts.player, find('script', HTMLScriptElement)?.nonce ?? '');

/** The player, or what there is to know until there is something to play. @param {{ recording: Recording, parts: Parts }} props */
export function Stage({ recording, parts }) {
  if (isPlayable(recording)) return html`<${Screen} recording=${recording} parts=${parts} />`;
  // Of meetings of which there are only words, nothing is shown.
  if (recording.media === 'none' && recording.status !== 'ERROR') return null;
  const [title, text] = recording.isLocked
    ? [STAGE.locked, REASONS.locked]
    : [STATUSES[recording.status], recording.status === 'ERROR' ? STAGE.failed : STAGE.soon];
  const isWaiting = recording.media === 'pending' && recording.progress > 0;
  const percent = Math.round(recording.progress * 100);
  return html`<section class="stage" id="stage" aria-label=${t(STAGE.player)}>
    <div class="screen message">
      <div>
        <div role="status">
          <p class="big">${title && t(title)}</p>
          <p>${text && t(text)}</p>
        </div>
        ${recording.statusReason && html`<p lang="en">${recording.statusReason}</p>`}
        ${isWaiting && html`<progress max="100" value=${percent} aria-label=${t(STAGE.progress)}></progress>`}
        ${isWaiting && html`<p>${percent} %</p>`}
      </div>
    </div>
  </section>`;
}

/** @param {Recording} recording */
const keyOf = ({ hlsUrl, duration }) => `${hlsUrl !== null} ${duration}`;

/** @param {{ recording: Recording, parts: Parts }} props */
function Screen({ recording, parts }) {
  const element = useRef(/** @type {HTMLVideoElement | null} */ (null));
  // New URLs of the same media are for the player; other media is shown once nobody watches the present one.
  const [shown, setShown] = useState(recording);
  const key = keyOf(shown);
  if (key !== keyOf(recording) && !parts.player?.isStarted) setShown(recording);
  useEffect(() => {
    const ending = new AbortController();
    const video = /** @type {HTMLVideoElement} */ (element.current);
    parts.video = video;
    parts.player = startPlayer(video, shown, parts, ending.signal);
    parts.navigation.openUrl();
    return () => {
      ending.abort();
      parts.video = parts.player = null;
    };
  }, [key]);
  // They may come while it is being watched; later URLs are of the same.
  const captions = useMemo(() => pathOf(recording.captionsUrl), [!recording.captionsUrl]);
  useEffect(() => {
    const ending = new AbortController();
    if (element.current) addCaptions(element.current, ending.signal);
    return () => ending.abort();
  }, [key, captions]);
  const isAudio = shown.hlsUrl !== null && shown.thumbnailUrl === null;
  return html`<section class="stage" id="stage" tabindex="-1" aria-label=${t(STAGE.player)} key=${key}>
    <div class=${isAudio ? 'screen audio' : 'screen'}>
      <video
        ref=${element}
        id="video"
        controls
        playsinline
        preload="none"
        src=${pathOf(shown.videoUrl)}
        poster=${pathOf(shown.thumbnailUrl)}
        aria-label=${t(isAudio ? STAGE.audio : STAGE.video)}
      >
        ${
          captions &&
          html`<track
            kind="captions"
            src=${captions}
            label=${t(STAGE.captions)}
            srclang=${recording.transcription.language ?? undefined}
          />`
        }
      </video>
    </div>
    <p id="trouble" class="trouble" role="alert" hidden>
      <span id="trouble-text"></span>
      <button id="again" class="link">${t(COMMON.tryAgain)}</button>
    </p>
  </section>`;
}

/** @param {HTMLVideoElement} video @param {Recording} recording @param {Parts} parts @param {AbortSignal} signal */
function startPlayer(video, recording, parts, signal) {
  const { id, hlsUrl, videoUrl, downloadUrlExpiresAt: end } = recording;
  const urls = new MediaUrls(pathOf(hlsUrl), pathOf(videoUrl), end ? Date.parse(end) - Date.now() : null);
  // A player ends with its source, before the others if there is other media.
  const source = new ApiSource(id, signal);
  parts.source.addEventListener('closed', () => source.close());
  const player = new Player(video, { source, urls, loadHls, onMove: parts.onMove, signal });
  const menu = find('voice', HTMLSelectElement);
  if (menu) addVoices(player, video, menu, signal);
  return player;
}
