import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { MAKING, TRANSCRIPT, VIEW } from '../texts/recording.js';
import { ask } from '../ui/dialog.js';
import { attempt, reasonText } from '../ui/parts.js';
import { isConverting } from './states.js';

/** @import { Text } from '../text.js' */
/** @import { Recording } from './states.js' */

/** What is still being made of a recording, and how far that is. @param {{ recording: Recording }} props */
export function Making({ recording }) {
  const { newMedia, transcription, summary, progress } = recording;
  /** @type {(readonly [isMaking: boolean, text: Text, progress: number])[]} */
  const kinds = [
    [isConverting(recording), MAKING.converting, progress],
    [newMedia?.status === 'uploading', MAKING.uploading, newMedia?.progress ?? 0],
    [newMedia?.status === 'processing', MAKING.processing, newMedia?.progress ?? 0],
    [newMedia?.status === 'failed', MAKING.failed, 0],
    [transcription.status === 'processing', MAKING.transcript, transcription.progress],
    [summary.status === 'processing', MAKING.summary, 0],
  ];
  const lines = kinds.filter(([isMaking]) => isMaking);
  const reason = newMedia?.statusReason ?? (recording.status === 'ERROR' ? null : recording.statusReason);
  return html`<div role="status" class="making">
    ${lines.map(
      ([, text, done]) =>
        html`<p class="note">
          ${t(text)} ${done > 0 && html`<progress max="1" value=${done} aria-label=${t(text)}></progress>`}
        </p>`,
    )}
    ${reason && html`<p class="note" lang="en">${reason}</p>`}
  </div>`;
}

/** Why there is no transcript, and what can be done. @param {{ recording: Recording, onChange: () => void }} props */
export function MissingTranscript({ recording, onChange }) {
  const { transcription, capabilities, capabilityReasons: reasons } = recording;
  const { status, statusReason } = transcription;
  /** @type {Readonly<Record<string, Text>>} */
  const texts = { queued: TRANSCRIPT.queued, failed: TRANSCRIPT.failed, completed: TRANSCRIPT.noSpeech };
  const withheld = capabilities.canViewTranscription ? '' : reasonText(reasons.canViewTranscription);
  const refused = reasonText(reasons.canStartTranscription);
  const isStartable = ['not_started', 'failed'].includes(status) && !withheld;
  return html`<section class="missing" id="transcript" tabindex="-1" aria-labelledby="missing-title">
    <h2 id="missing-title">${t(VIEW.transcript)}</h2>
    <p>${withheld || t(texts[status] ?? TRANSCRIPT.none)}</p>
    ${statusReason && html`<p lang="en">${statusReason}</p>`}
    ${
      isStartable &&
      (capabilities.canStartTranscription
        ? html`<button type="button" class="button main" onClick=${() => transcribe(recording, onChange)}>
            ${t(VIEW.transcribe)}
          </button>`
        : refused && html`<p>${`${t(VIEW.transcribe)}: ${refused}`}</p>`)
    }
  </section>`;
}

/** Transcribes a recording, for the first time or again. @param {Recording} recording @param {() => void} onChange */
export async function transcribe({ id, transcription }, onChange) {
  const question = {
    title: t(VIEW.transcribeAgain),
    text: t(VIEW.transcribeAgainText),
    action: t(VIEW.transcribeAgain),
  };
  if (transcription.status === 'completed' && !(await ask(question))) return;
  await attempt(() => api.post('/recordings/{id}/transcription', { path: { id }, body: {} }));
  onChange();
}
