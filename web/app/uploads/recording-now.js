import { useEffect, useState } from 'preact/hooks';
import { formatClock } from '../../share/scripts/moments.js';
import { html } from '../html.js';
import { navigate } from '../router.js';
import { formatBytes, t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { RECORD, UPLOADS } from '../texts/uploads.js';
import { ask } from '../ui/dialog.js';
import { say } from '../ui/toast.js';
import { Preview } from './preview.js';
import { find } from './queue.js';

/** @import { Capture, Session } from './capture.js' */

const TICK_MS = 500;
const SAID_MS = 15_000;

/** A recording that runs: how long and how far, and how to pause and stop it. Leaving stops it. @param {{ session: Session, capture: Capture, onOver: () => void }} props */
export function RecordingNow({ session, capture, onOver }) {
  const { id, source, state, lost } = session;
  const [, setTick] = useState(0);
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), TICK_MS);
    void session.ended.then(() => setEnded(true));
    return () => {
      clearInterval(timer);
      session.stop();
    };
  }, []);
  useEffect(guardLinks, []);
  const isPaused = state.value === 'paused';
  const isStopping = state.value === 'stopping';
  const stateText = t(RECORD[state.value]);
  useEffect(() => {
    document.title = `● ${stateText} · ${t(FRAME.product)}`;
    return () => {
      document.title = `${t(FRAME.record)} · ${t(FRAME.product)}`;
    };
  }, [stateText]);
  const upload = find(id);
  // Once the service has it, or cannot be asked now.
  const isOver = hasEnded && (!upload || upload.begun || upload.state === 'failed' || upload.delay);
  useEffect(() => {
    if (!isOver) return;
    if (lost.value === 'source') say({ text: t(RECORD.lostSource) }, SAID_MS);
    if (upload?.begun) return navigate(`/recordings/${upload.begun.id}`);
    if (upload) say({ text: upload.problem ?? t(RECORD.keptHere) }, SAID_MS);
    onOver();
  }, [Boolean(isOver)]);
  const [size, behind] = [source.length, source.length - (upload?.sent ?? 0)];
  const mistakes = [
    upload?.delay,
    lost.value === 'microphone' && t(RECORD.lostMicrophone),
    upload?.isKept === false && t(RECORD.diskFull),
    upload?.problem && t(RECORD.refused, { problem: upload.problem }),
  ];
  return html`<div class="recorder">
    <${Preview} capture=${capture} />
    <div class="form">
      <p class="live recording-state">
        <span role="status">${stateText}</span>
        <span class="at">${formatClock(session.duration() / 1000)}</span>
      </p>
      <p dir="auto"><strong>${upload?.title}</strong></p>
      <p class="hint">${t(RECORD.size, { size: formatBytes(size), behind: formatBytes(behind) })}</p>
      <div class="actions">
        <button class="button" disabled=${isStopping} onClick=${isPaused ? session.resume : session.pause}>
          ${t(isPaused ? UPLOADS.resume : UPLOADS.pause)}
        </button>
        <button class="button danger" disabled=${isStopping} onClick=${session.stop}>
          ${t(RECORD.stop)}
        </button>
      </div>
      <div role="status">${mistakes.map((text) => text && html`<p class="mistake">${text}</p>`)}</div>
      <p class="hint">${t(RECORD.leaving)} ${t(RECORD.others)}</p>
    </div>
  </div>`;
}

/** Asks before a link is followed, which stops the recording. */
function guardLinks() {
  const question = { title: t(RECORD.leaveAsk), text: t(RECORD.leaveText), action: t(RECORD.leave) };
  const guard = (/** @type {MouseEvent} */ event) => {
    const link = /** @type {Element} */ (event.target).closest('a');
    if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    void follow(link);
  };
  const follow = async (/** @type {HTMLAnchorElement} */ link) => {
    if (!(await ask(question))) return;
    end();
    link.click();
  };
  const end = () => document.removeEventListener('click', guard, true);
  document.addEventListener('click', guard, true);
  return end;
}
