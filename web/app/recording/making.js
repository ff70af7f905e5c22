import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { TRANSCRIPT, VIEW } from '../texts/recording.js';
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
    [isConverting(recording), VIEW.converting, progress],
    [newMedia?.status === 'uploading', VIEW.uploading, newMedia?.progress ?? 0],
    [newMedia?.status === 'processing', VIEW.processing, newMedia?.progress ?? 0],
    [newMedia?.status === 'failed', VIEW.mediaFailed, 0],
    [transcription.status === 'processing', VIEW.transcribing, transcription.progress],
    [summary.status === 'processing', VIEW.summarizing, 0],
  ];
  const reason = newMedia?.statusReason ?? (recording.status === 'ERROR' ? null : recording.statusReason);
  return html`<div role="status" class="making">
    ${kinds.map(
      ([isMaking, text, done]) =>
        isMaking &&
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
        ? html`<button class="button main" onClick=${() => transcribe(recording, onChange)}>
            ${t(VIEW.transcribe)}
          </button>`
        : refused && html`<p>${`${t(VIEW.transcribe)}: ${refused}`}</p>`)
    }
  </section>`;
}

/** Transcribes a recording, for the first time or again. @param {Recording} recording @param {() => void} onChange */
export async function transcribe({ id, transcription }, onChange) {
  const title = t(VIEW.transcribeAgain);
  const question = { title, text: t(VIEW.transcribeAgainText), action: title };
  if (transcription.status === 'completed' && !(await ask(question))) return;
  await attempt(() => api.post('/recordings/{id}/transcription', { path: { id }, body: {} }));
  onChange();
}
