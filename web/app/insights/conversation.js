import { useEffect, useRef, useState } from 'preact/hooks';
import { formatClock } from '../../share/scripts/moments.js';
import { html } from '../html.js';
import { at } from '../router.js';
import { t } from '../text.js';
import { QUESTIONS } from '../texts/insights.js';
import { Field, Form } from '../ui/form.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['Citation'] & Partial<Pick<Schemas['MeetingCitation'], 'recordingId' | 'title'>>} Citation */
/** @typedef {Omit<Schemas['QuestionAnswer'], 'citations'> & { citations: readonly Citation[] }} Answer */
/** @typedef {(question: string, options: { signal: AbortSignal, timeout: number }) => Promise<Answer>} Ask */

/** Exchanges that stay on the page. */
const MAX_KEPT = 50;
/** A chat server may need this long. */
const ANSWER_MS = 180_000;

/** Questions and their answers, one after the other, and a field for the next question. @param {{ ask: Ask, hint: string }} props */
export function Conversation({ ask, hint }) {
  const [exchanges, setExchanges] = useState(
    /** @type {readonly { number: number, question: string, answer: Answer }[]} */ ([]),
  );
  const [isAsking, setAsking] = useState(false);
  const running = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => () => running.current?.abort(), []);
  const submit = async (
    /** @type {Record<string, string>} */ { question = '' },
    /** @type {HTMLFormElement} */ form,
  ) => {
    const { signal } = (running.current = new AbortController());
    setAsking(true);
    try {
      const answer = await ask(question, { signal, timeout: ANSWER_MS });
      setExchanges((before) => {
        const number = (before.at(-1)?.number ?? 0) + 1;
        return [...before, { number, question, answer }].slice(-MAX_KEPT);
      });
      form.reset();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      setAsking(false);
      form.querySelector('textarea')?.focus();
    }
  };
  const cancel = isAsking ? () => running.current?.abort() : undefined;
  return html`<div class="insight">
    <div role="log" aria-label=${t(QUESTIONS.answers)}>
      ${exchanges.map(
        ({ number, question, answer }) =>
          html`<article key=${number} aria-label=${question}>
            <p class="question-asked" dir="auto">${question}</p>
            <${Answered} answer=${answer} />
          </article>`,
      )}
    </div>
    <p role="status" class="hint">${isAsking && t(QUESTIONS.asking)}</p>
    <${Form} action=${t(QUESTIONS.ask)} onSubmit=${submit} onCancel=${cancel}>
      <${Field}
        name="question"
        label=${t(QUESTIONS.question)}
        hint=${hint}
        rows="2"
        maxlength="1000"
        required
        dir="auto"
        onKeyDown=${sendOnEnter}
      />
    <//>
  </div>`;
}

/** @param {KeyboardEvent} event */
function sendOnEnter(event) {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  /** @type {HTMLTextAreaElement} */ (event.currentTarget).form?.requestSubmit();
}

/** The notices of the API are in English: what they say is said here. @param {{ answer: Answer }} props */
function Answered({ answer: { mode, answer, notice, citations } }) {
  const isWritten = mode === 'written';
  if (citations.length === 0 && !isWritten) return html`<p>${t(QUESTIONS.nothing)}</p>`;
  const explained = isWritten ? notice && QUESTIONS.unsupported : QUESTIONS.passages;
  return html`${isWritten && html`<p class="question-answer" dir="auto">${answer}</p>`}
    ${explained && html`<p class="hint">${t(explained)}</p>`}
    <ul>
      ${citations.map(
        ({ recordingId, title, start, speaker, quote }) =>
          html`<li class="citation">
            <blockquote dir="auto">${quote}</blockquote>
            <p class="facts">
              ${speaker && html`<strong dir="auto">${speaker}</strong>`}
              <a href=${`${recordingId ? at(`/recordings/${recordingId}`) : ''}#t=${start}`}
                >${title && html`<bdi>${title}</bdi>, `}${formatClock(start)}</a
              >
            </p>
          </li>`,
      )}
    </ul>`;
}
