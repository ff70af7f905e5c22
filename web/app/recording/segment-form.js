import { render } from 'preact';
import { make } from '../../share/scripts/dom.js';
import { formatClock } from '../../share/scripts/moments.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { TRANSCRIPT } from '../texts/recording.js';
import { Form } from '../ui/form.js';
import { saveOver } from './conflicts.js';

/** @import { Segment, WholeTranscript } from './whole-transcript.js' */

/** Adds to a row what it is corrected with: the name becomes a button, and there is one for the text. @param {HTMLElement} row @param {Segment} segment */
export function addRowControls(row, { start }) {
  const name = row.querySelector('b');
  const textContent = name?.textContent ?? '';
  name?.replaceChildren(make('button', { className: 'speaker', title: t(TRANSCRIPT.speaker), textContent }));
  const ariaLabel = t(TRANSCRIPT.correct, { time: formatClock(start) });
  row.lastElementChild?.before(make('button', { className: 'edit', ariaLabel }));
}

/** Opens a form in a row to correct its text; the text comes back when it is closed, or when somebody else has changed it. @param {WholeTranscript} transcript @param {number} number */
export function openSegmentForm(transcript, number) {
  const row = transcript.items[number];
  const shown = row?.lastElementChild;
  if (!row || !(shown instanceof HTMLElement) || row.querySelector('form')) return;
  const version = () => ({ text: transcript.texts[number] ?? '', revision: transcript.revision ?? 0 });
  const base = { current: version() };
  const holder = make('div', { className: 'segment-form' });
  const close = () => {
    render(null, holder);
    holder.remove();
    shown.hidden = false;
    /** @type {HTMLElement | null} */ (row.querySelector('.edit'))?.focus();
  };
  const save = async (/** @type {Record<string, string>} */ { text = '' }) => {
    await saveOver({
      base,
      send: (revision) => transcript.correct(number, text, revision),
      reload: () => transcript.refresh().then(version),
      onTheirs: () => (shown.hidden = false),
    });
    close();
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const field = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) field.form?.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  shown.hidden = true;
  shown.before(holder);
  const form = html`<${Form} action=${t(COMMON.save)} onSubmit=${save} onCancel=${close}>
    <textarea
      name="text"
      required
      maxlength="10000"
      dir="auto"
      aria-label=${t(TRANSCRIPT.text)}
      defaultValue=${base.current.text}
      onKeyDown=${onKey}
    ></textarea>
  <//>`;
  render(form, holder);
  holder.querySelector('textarea')?.focus();
}
