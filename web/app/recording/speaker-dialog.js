import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { TRANSCRIPT } from '../texts/recording.js';
import { Dialog } from '../ui/dialog.js';
import { Field, Form } from '../ui/form.js';

/** @import { WholeTranscript } from './whole-transcript.js' */

const WHERE = /** @type {const} */ (['everywhere', 'passage', 'onward']);

/** Names the speaker of a passage, there or in the whole transcript. @param {{ transcript: WholeTranscript, number: number, onClose: () => void }} props `number`: of the first segment of the passage */
export function SpeakerDialog({ transcript, number, onClose }) {
  const speakers = transcript.segments.map(({ speaker }) => speaker);
  const from = speakers[number] ?? '';
  const save = async (/** @type {Record<string, string>} */ { name = '', where = '' }) => {
    const end = speakers.findIndex((speaker, index) => index > number && speaker !== from);
    const last = where === 'onward' || end < 0 ? speakers.length - 1 : end - 1;
    const segments = where === 'everywhere' ? undefined : { first: number, last };
    if (name.trim() !== from) await transcript.name(from, name.trim(), segments);
    onClose();
    // The row has a new button; until the dialog is gone, nothing else takes the focus.
    setTimeout(() => transcript.items[number]?.querySelector('button')?.focus());
  };
  return html`<${Dialog} title=${t(TRANSCRIPT.speaker)} onClose=${onClose}>
    <${Form} action=${t(COMMON.save)} onSubmit=${save} onCancel=${onClose}>
      <${Field}
        label=${t(TRANSCRIPT.name)}
        name="name"
        value=${from}
        list="speaker-names"
        required
        maxlength="200"
        autofocus
        autocomplete="off"
        dir="auto"
      />
      <datalist id="speaker-names">
        ${[...new Set(speakers)].map((name) => name && html`<option value=${name}></option>`)}
      </datalist>
      <${Field}
        label=${t(TRANSCRIPT.where)}
        name="where"
        options=${WHERE.map((key) => [key, t(TRANSCRIPT[key])])}
      />
    <//>
  <//>`;
}
