import { useEffect, useState } from 'preact/hooks';
import { formatClock } from '../../share/scripts/moments.js';
import { html } from '../html.js';
import { navigate } from '../router.js';
import { formatBytes, t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { RECORD } from '../texts/uploads.js';
import { ask } from '../ui/dialog.js';
import { say } from '../ui/toast.js';
import { pictureOf } from './capture.js';
import { Meter, Preview } from './preview.js';
import { delays, find } from './queue.js';

/** @import { Capture, record } from './capture.js' */

const TICK_MS = 500;

/** A recording that runs: how long and how far, and how to pause and stop it. Leaving stops it. @param {{ session: ReturnType<typeof record>, capture: Capture, onOver: () => void }} props */
export function RecordingNow({ session, capture, onOver }) {
  const { id, state, lost } = session;
  const [, setTick] = useState(0);
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), TICK_MS);
    void session.ended.then(() => setEnded(true));
    return () => {
      clearInterval(timer);
      void session.stop();
    };
  }, []);
  useEffect(guardLinks, []);
  const isPaused = state.value === 'paused';
  const isStopping = state.value === 'stopping';
  const stateText = t(isStopping ? RECORD.stopping : isPaused ? RECORD.isPaused : RECORD.recording);
  useEffect(() => {
    document.title = `● ${stateText} · ${t(FRAME.product)}`;
    return () => {
      document.title = `${t(RECORD.title)} · ${t(FRAME.product)}`;
    };
  }, [stateText]);
  const upload = find(id);
  const isWaiting = Boolean(delays.value[id]);
  // Once the service has it, or cannot be asked now.
  const isOver = hasEnded && (!upload || upload.begun || upload.state === 'failed' || isWaiting);
  useEffect(() => {
    if (!isOver) return;
    if (lost.value === 'source') say({ text: t(RECORD.lostSource) }, 15_000);
    if (upload?.begun) return navigate(`/recordings/${upload.begun.id}`);
    if (upload) say({ text: upload.problem ?? t(RECORD.keptHere) }, 15_000);
    onOver();
  }, [Boolean(isOver)]);
  const behind = session.size() - (upload?.sent ?? 0);
  return html`<div class="recorder">
    <div>
      <${Preview} track=${pictureOf(capture)} /> ${capture.user && html`<${Meter} stream=${capture.user} />`}
    </div>
    <div class="recording-now">
      <p class=${isPaused ? 'live recording-state paused' : 'live recording-state'}>
        <span role="status">${stateText}</span>
        <span class="at">${formatClock(session.duration() / 1000)}</span>
      </p>
      <p dir="auto"><strong>${upload?.title}</strong></p>
      <p class="hint">
        ${t(RECORD.size, { size: formatBytes(session.size()), behind: formatBytes(behind) })}
      </p>
      <div class="form-actions">
        <button
          type="button"
          class="button"
          disabled=${isStopping}
          onClick=${() => (isPaused ? session.resume() : session.pause())}
        >
          ${t(isPaused ? RECORD.resume : RECORD.pause)}
        </button>
        <button type="button" class="button danger" disabled=${isStopping} onClick=${session.stop}>
          ${t(RECORD.stop)}
        </button>
      </div>
      <div role="status">
        ${isWaiting && html`<p class="mistake">${delays.value[id]}</p>`}
        ${lost.value === 'microphone' && html`<p class="mistake">${t(RECORD.lostMicrophone)}</p>`}
        ${upload && !upload.isKept && html`<p class="mistake">${t(RECORD.diskFull)}</p>`}
        ${upload?.problem && html`<p class="mistake">${t(RECORD.refused, { problem: upload.problem })}</p>`}
      </div>
      <p class="hint">${t(RECORD.leaving)}</p>
      <p class="hint">${t(RECORD.others)}</p>
    </div>
  </div>`;
}

/** Asks before a link is followed, which stops the recording. */
function guardLinks() {
  const guard = async (/** @type {MouseEvent} */ event) => {
    const link = /** @type {Element} */ (event.target).closest('a');
    if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const isSure = await ask({
      title: t(RECORD.leaveAsk),
      text: t(RECORD.leaveText),
      action: t(RECORD.leave),
    });
    if (!isSure) return;
    end();
    link.click();
  };
  const end = () => document.removeEventListener('click', guard, true);
  document.addEventListener('click', guard, true);
  return end;
}
