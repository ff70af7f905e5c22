import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LiveTranscript } from '../../share/scripts/live-transcript.js';
import { Transcript } from '../../share/scripts/transcript.js';
import { useEvents, recordingIdOf } from '../events.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { TRANSCRIPT, VIEW } from '../texts/recording.js';
import { addRowControls, openSegmentForm } from './segment-form.js';
import { SpeakerDialog } from './speaker-dialog.js';
import { WholeTranscript } from './whole-transcript.js';

/** @import { Parts } from './parts.js' */
/** @import { Recording } from './states.js' */
/** @typedef {{ recording: Recording, parts: Parts, kind: 'whole' | 'draft', onTranscript: (transcript: WholeTranscript | null) => void }} PanelProps */

/** How often to look for what has been heard. */
const LIVE_MS = 3_000;

/** The transcript, whole or as far as it has been heard. What replaces it waits while somebody edits it. @param {PanelProps} props */
export function TranscriptPanel(props) {
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const { kind } = props;
  const canCorrect = props.recording.capabilities.canRenameSpeaker;
  const [version, setVersion] = useState(0);
  const [isReplaced, setReplaced] = useState(false);
  const shown = useMemo(() => ({ kind, canCorrect }), [version]);
  const replace = () => {
    setReplaced(false);
    setVersion((before) => before + 1);
  };
  const offer = () => (panel.current?.querySelector('form.form') ? setReplaced(true) : replace());
  useEffect(() => {
    if (shown.kind !== kind || shown.canCorrect !== canCorrect) offer();
  }, [kind, canCorrect]);
  const Rows = shown.kind === 'whole' ? Whole : Draft;
  return html`<section
    class="transcript"
    id="transcript"
    tabindex="-1"
    aria-labelledby="transcript-title"
    ref=${panel}
  >
    ${
      isReplaced &&
      html`<p class="trouble" role="status">
        ${t(TRANSCRIPT.replaced)}
        <button class="link" onClick=${replace}>${t(TRANSCRIPT.show)}</button>
      </p>`
    }
    <${Rows} key=${version} ...${props} canCorrect=${shown.canCorrect} onOther=${offer} />
  </section>`;
}

/** @param {string} path */
const icon = (path) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

/** @param {PanelProps & { canCorrect: boolean, onOther: () => void }} props */
function Whole({ recording, parts, canCorrect, onTranscript, onOther }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const transcript = useRef(/** @type {WholeTranscript | null} */ (null));
  const [named, setNamed] = useState(/** @type {number | null} */ (null));
  const { id, transcription, media } = recording;
  useEffect(() => {
    const onRow = canCorrect ? addRowControls : undefined;
    const element = /** @type {HTMLElement} */ (list.current);
    const whole = new WholeTranscript(element, parts, { id, onRow, onOther });
    transcript.current = whole;
    onTranscript(whole);
    void whole.begin();
    return () => {
      parts.follower = parts.search = null;
      onTranscript(null);
    };
  }, []);
  useEvents(['transcript.'], (event) => {
    if (recordingIdOf(event) !== id) return;
    const changes = 'changes' in event.data ? event.data.changes : null;
    void transcript.current?.refresh(changes && 'revision' in changes ? Number(changes.revision) : undefined);
  });
  const onClick = (/** @type {MouseEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    const button = target.closest('.speaker, .edit');
    const row = button?.closest('li');
    if (!row || !transcript.current) return;
    const number = transcript.current.items.indexOf(row);
    if (button?.classList.contains('speaker')) return setNamed(number);
    // Playback would scroll it out of view.
    parts.follower?.follow(false);
    openSegmentForm(transcript.current, number);
  };
  return html`<div class="head">
      <h2 id="transcript-title">${t(VIEW.transcript)}</h2>
      <button id="follow" class="button main" hidden>${t(TRANSCRIPT.follow)}</button>
      <form class="search" id="search" role="search">
        <label class="unseen" for="query">${t(TRANSCRIPT.search)}</label>
        ${icon('M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0M16 16l4.5 4.5')}
        <input
          id="query"
          type="search"
          placeholder=${t(TRANSCRIPT.search)}
          title=${t(TRANSCRIPT.searchHint)}
          autocomplete="off"
          spellcheck=${false}
          enterkeyhint="search"
        />
        <output id="count" for="query" aria-live="polite"></output>
        <button type="button" id="previous" aria-label=${t(TRANSCRIPT.previous)} disabled>
          ${icon('m6 15 6-6 6 6')}
        </button>
        <button type="button" id="next" aria-label=${t(TRANSCRIPT.next)} disabled>
          ${icon('m6 9 6 6 6-6')}
        </button>
      </form>
    </div>
    <div
      id="rows"
      class=${media === 'available' ? 'rows seeks' : 'rows'}
      lang=${transcription.language ?? undefined}
      ref=${list}
      onClick=${onClick}
    >
      <p class="loading" id="loading" lang=${document.documentElement.lang} hidden>
        <span id="loading-text"></span>
        <button id="load-again" class="link" hidden>${t(COMMON.tryAgain)}</button>
      </p>
    </div>
    ${
      named !== null &&
      transcript.current &&
      html`<${SpeakerDialog}
        transcript=${transcript.current}
        number=${named}
        onClose=${() => setNamed(null)}
      />`
    }`;
}

/** @param {PanelProps} props */
function Draft({ recording, parts }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const isLive = recording.media === 'pending';
  const { progress, language } = recording.transcription;
  useEffect(() => {
    const ending = new AbortController();
    void followDraft(/** @type {HTMLElement} */ (list.current), parts, ending.signal);
    return () => ending.abort();
  }, []);
  return html`<div class="head">
      <h2 id="transcript-title">${t(VIEW.transcript)}</h2>
      ${
        isLive
          ? html`<span class="live">${t(TRANSCRIPT.live)}</span>`
          : html`<progress max="1" value=${progress} aria-label=${t(VIEW.transcribing)}></progress>`
      }
    </div>
    <div
      id="rows"
      class="rows"
      role="log"
      aria-label=${t(TRANSCRIPT.soFar)}
      tabindex="0"
      lang=${language ?? undefined}
      ref=${list}
    >
      ${isLive && html`<p class="listening">${t(TRANSCRIPT.listening)}</p>`}
    </div>`;
}

/** @param {HTMLElement} list @param {Parts} parts @param {AbortSignal} signal */
async function followDraft(list, { source }, signal) {
  const [live, rows] = [new LiveTranscript(list), new Transcript(list)];
  while (!signal.aborted && !source.isClosed) {
    const { chunk } = live;
    const page = document.hidden ? null : await source.fetchTranscript(chunk, 100);
    if (signal.aborted) return;
    const heard = (page?.segments ?? []).map((segment, index, all) =>
      rows.rowOf(segment, segment.speaker !== (all[index - 1]?.speaker ?? '')),
    );
    const isBehind = page?.status === 'processing' && live.update(heard, chunk);
    await new Promise((resolve) => setTimeout(resolve, isBehind ? 0 : LIVE_MS));
  }
}
