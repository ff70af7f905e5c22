import { useEffect, useState } from 'preact/hooks';
import { addShortcuts } from '../../share/scripts/controls.js';
import { Chapters, markJumps } from '../../share/scripts/navigation.js';
import { api } from '../api.js';
import { useData } from '../data.js';
import { recordingIdOf, useEvents } from '../events.js';
import { html } from '../html.js';
import { QuestionsPanel } from '../insights/questions-panel.js';
import { SummaryPanel } from '../insights/summary-panel.js';
import { Topics } from '../insights/topics.js';
import { mayChange } from '../library/recording-actions.js';
import { at } from '../router.js';
import { PageTitle } from '../shell.js';
import { t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { VIEW } from '../texts/recording.js';
import { Loading, Problem } from '../ui/parts.js';
import { Actions, Keys } from './actions.js';
import { Facts } from './facts-list.js';
import { Making, MissingTranscript } from './making.js';
import { Notes } from './notes.js';
import { Parts } from './parts.js';
import { isClosing } from './source.js';
import { Stage } from './stage.js';
import { isInProgress, isPlayable, transcriptOf } from './states.js';
import { TranscriptPanel } from './transcript-panel.js';

/** @import { Recording } from './states.js' */
/** @import { WholeTranscript } from './whole-transcript.js' */

/** Progress is no event: how often to look while something is being made, and otherwise, as the end of access may be none either. */
const [POLL_MS, CHECK_MS] = [4_000, 60_000];

/** One recording: watched, read, corrected, shared. @param {{ params: readonly string[] }} props */
export function View({ params: [id = ''] }) {
  const { data, error, reload, set } = useData(
    (signal) => api.get('/recordings/{id}', { path: { id }, signal }),
    [id],
  );
  const isOpen = data !== undefined && !isClosing(error);
  const pause = isOpen && isInProgress(data) ? POLL_MS : CHECK_MS;
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => document.hidden || reload(), pause);
    return () => clearInterval(timer);
  }, [isOpen, pause]);
  // Of any type: what is not about a recording may change who can see this one.
  useEvents([''], (event) => {
    if ([undefined, id].includes(recordingIdOf(event))) reload();
  });
  if (data) return html`<${Whole} recording=${data} error=${error} reload=${reload} set=${set} />`;
  if (!error) return html`<${Loading} />`;
  return html`<${PageTitle} title=${t(VIEW.unavailable)} /><${Trouble} error=${error} reload=${reload} />`;
}

/** That it cannot be opened, or no longer: what was typed stays readable. @param {{ error: unknown, reload: () => void }} props */
const Trouble = ({ error, reload }) =>
  html`<${Problem} error=${error} onRetry=${isClosing(error) ? undefined : reload} />
    ${isClosing(error) && html`<p><a href=${at('/')}>${t(FRAME.toRecordings)}</a></p>`}`;

/** @param {{ recording: Recording, error: unknown, reload: () => void, set: (recording: Recording) => void }} props */
function Whole({ recording, error, reload, set }) {
  const [parts] = useState(() => new Parts(recording.id));
  const [transcript, setTranscript] = useState(/** @type {WholeTranscript | null} */ (null));
  const isClosed = isClosing(error);
  const kind = transcriptOf(recording);
  parts.duration = recording.duration;
  useEffect(() => {
    addShortcuts(parts);
    return () => parts.end();
  }, []);
  useEffect(() => {
    const jumps = markJumps();
    return () => jumps.disconnect();
  }, [kind]);
  useEffect(() => {
    if (isClosed) parts.source.close();
  }, [isClosed]);
  const words = recording.media === 'none' ? 'words' : '';
  return html`<div class=${`recording ${kind === 'none' ? 'one' : 'two'} ${words}`}>
    <${Stage} recording=${recording} parts=${parts} />
    <div class="top">
      <${PageTitle} title=${recording.title} />
      <${Facts} recording=${recording} />
      ${!isClosed && html`<${Actions} recording=${recording} transcript=${transcript} onChange=${reload} />`}
      ${error !== undefined && html`<${Trouble} error=${error} reload=${reload} />`}
    </div>
    <${Keys} />
    <${Jumps} recording=${recording} />
    <div class="about">
      <${Making} recording=${recording} />
      ${kind === 'none' && html`<${MissingTranscript} recording=${recording} onChange=${reload} />`}
      <${ChapterList} recording=${recording} parts=${parts} />
      <div class="summary" id="summary" tabindex="-1">
        <${SummaryPanel} recording=${recording} onChange=${reload} />
      </div>
      <div class="summary" id="questions" tabindex="-1"><${QuestionsPanel} recording=${recording} /></div>
      <${Notes}
        recording=${recording}
        canEdit=${mayChange(recording) && !recording.isLocked}
        onSaved=${set}
      />
    </div>
    ${
      kind !== 'none' &&
      html`<${TranscriptPanel}
        recording=${recording}
        parts=${parts}
        kind=${kind}
        onTranscript=${setTranscript}
      />`
    }
  </div>`;
}

/** Leads to the parts of the page where they are below each other. @param {{ recording: Recording }} props */
function Jumps({ recording }) {
  const topics = recording.summary.topics.length > 0 ? /** @type {const} */ (['topics']) : [];
  const links = /** @type {const} */ (['transcript', 'summary', 'questions', ...topics]);
  return html`<nav class="jumps" aria-label=${t(VIEW.onThisPage)}>
    ${links.map((id) => html`<a href=${`#${id}`}>${t(VIEW[id])}</a>`)}
  </nav>`;
}

/** @param {{ recording: Recording, parts: Parts }} props */
function ChapterList({ recording, parts }) {
  const { topics } = recording.summary;
  const key = JSON.stringify(topics.map(({ start }) => start));
  useEffect(() => {
    parts.chapters = new Chapters();
    if (parts.player?.isStarted) parts.chapters.mark(parts.player.position);
  }, [key]);
  if (topics.length === 0) return null;
  const hasMoments = isPlayable(recording) || transcriptOf(recording) === 'whole';
  return html`<section class="topics" id="topics" tabindex="-1" aria-labelledby="topics-title">
    <h2 id="topics-title">${t(VIEW.topics)}</h2>
    <${Topics} topics=${topics} hasMoments=${hasMoments} />
  </section>`;
}
