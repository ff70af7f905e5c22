import { render } from 'preact';
import { make } from '../../share/scripts/dom.js';
import { formatClock } from '../../share/scripts/moments.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { TRANSCRIPT } from '../texts/recording.js';
import { Form } from '../ui/form.js';

/** @import { Segment, WholeTranscript } from './whole-transcript.js' */

/** Adds to a row what it is corrected with: the name becomes a button, and there is one for the text. @param {HTMLElement} row @param {Segment} segment */
export function addRowControls(row, { start }) {
  const name = row.querySelector('b');
  const textContent = name?.textContent ?? '';
  name?.replaceChildren(
    make('button', { type: 'button', className: 'speaker', title: t(TRANSCRIPT.speaker), textContent }),
  );
  const ariaLabel = t(TRANSCRIPT.correct, { time: formatClock(start) });
  row.lastElementChild?.before(make('button', { type: 'button', className: 'edit', ariaLabel }));
}

/** Opens a form in a row to correct its text; the text comes back when it is closed, or when somebody else has changed it. @param {WholeTranscript} transcript @param {number} number */
export function openSegmentForm(transcript, number) {
  const row = transcript.rowOf(number);
  const text = row?.lastElementChild;
  if (!row || !(text instanceof HTMLElement) || row.querySelector('form')) return;
  const holder = make('div', { className: 'segment-form' });
  let base = transcript.segments[number]?.text;
  const close = () => {
    render(null, holder);
    holder.remove();
    text.hidden = false;
  };
  const leave = () => {
    close();
    const button = row.querySelector('.edit');
    if (button instanceof HTMLElement) button.focus();
  };
  const isChanged = () => {
    const now = transcript.segments[number]?.text;
    const differs = now !== base;
    // Once it has been shown, it may be replaced.
    if (differs) text.hidden = false;
    base = now;
    return differs;
  };
  const save = async (/** @type {Record<string, string>} */ values) => {
    await transcript.correct(number, values.text ?? '', isChanged);
    leave();
  };
  text.hidden = true;
  text.before(holder);
  render(html`<${SegmentForm} text=${base} onSave=${save} onCancel=${leave} />`, holder);
  holder.querySelector('textarea')?.focus();
}

/** @param {{ text: string, onSave: (values: Record<string, string>) => Promise<unknown>, onCancel: () => void }} props */
function SegmentForm({ text, onSave, onCancel }) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const field = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) field.form?.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<${Form} action=${t(COMMON.save)} onSubmit=${onSave} onCancel=${onCancel}>
    <textarea
      name="text"
      required
      maxlength="10000"
      dir="auto"
      aria-label=${t(TRANSCRIPT.text)}
      defaultValue=${text}
      onKeyDown=${onKey}
    ></textarea>
  <//>`;
}
