import { COMMON, FRAME } from '../app/texts/common.js';
import { ERRORS } from '../app/texts/errors.js';
import { SHARED, STAGE, STATUSES, TRANSCRIPT, VIEW } from '../app/texts/recording.js';
import { make } from '../share/scripts/dom.js';
import { formatClock } from '../share/scripts/moments.js';

/** @import { Text } from '../app/text.js' */
/** @import { Opened } from './source.js' */
/** @import { Refusal } from './types.js' */
/** @typedef {(text: Text) => string} Say in the language of the element */
/** @typedef {(url: string | null) => string | null} AddressOf */

/** @type {Readonly<Record<string, Text>>} */
const REFUSALS = {
  ...ERRORS,
  CONNECTION: SHARED.player.unreachable,
  NOT_FOUND: VIEW.unavailable,
  SHARE_PASSWORD_REQUIRED: ['This recording needs a password.', 'Für diese Aufnahme ist ein Passwort nötig.'],
  SHARE_PASSWORD_WRONG: ['Wrong password.', 'Falsches Passwort.'],
};

/** @param {Refusal} refusal */
export const refusalOf = ({ code, status }) =>
  status === 401 ? FRAME.ended : (REFUSALS[code] ?? ERRORS.UNEXPECTED);

/** An element with attributes, except those that are null. @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, string | null>} attributes @param {readonly (Node | string | null)[]} children */
export function h(tag, attributes, ...children) {
  const element = make(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** @param {readonly (Node | string)[]} lines */
export const message = (...lines) =>
  h('div', { class: 'message', part: 'message', role: 'status' }, ...lines.map((line) => h('p', {}, line)));

/** With the ids by which components of share pages find its parts. @param {Opened} opened @param {AddressOf} addressOf @param {Say} say */
export function pageOf({ recording, topics, words }, addressOf, say) {
  const isPlayable = recording.media === 'available' && recording.videoUrl !== null;
  const chapters = topics.filter(({ start }) => isPlayable && start !== null);
  return h(
    'div',
    { class: 'columns' },
    isPlayable ? stageOf(recording, words?.language ?? null, addressOf, say) : insteadOf(recording, say),
    chapters.length > 0 ? chaptersOf(chapters, say) : null,
    words && transcriptOf(words, say),
  );
}

/** @param {Opened['recording']} recording @param {string | null} srclang @param {AddressOf} addressOf @param {Say} say */
function stageOf({ hlsUrl, videoUrl, thumbnailUrl, captionsUrl }, srclang, addressOf, say) {
  const isAudio = hlsUrl !== null && thumbnailUrl === null;
  const look = { part: 'video', class: isAudio ? 'audio' : null, crossorigin: 'anonymous' };
  const urls = { src: addressOf(videoUrl), poster: addressOf(thumbnailUrl) };
  const captions = { kind: 'captions', src: addressOf(captionsUrl), srclang, label: say(STAGE.captions) };
  const video = h('video', { ...look, ...urls, 'aria-label': say(isAudio ? STAGE.audio : STAGE.video) });
  Object.assign(video, { controls: true, playsInline: true, preload: 'none' });
  if (captions.src) video.append(h('track', captions));
  return h('section', {}, video, retryOf('trouble', 'again', say));
}

/** Nothing of meetings of which there are only words. @param {Opened['recording']} recording @param {Say} say */
function insteadOf({ isLocked, status, media }, say) {
  if (isLocked) return message(say(STAGE.locked), say(ERRORS.RECORDING_LOCKED));
  if (status === 'ERROR') return message(say(STATUSES.ERROR));
  return media === 'none' ? null : message(say(STATUSES[status]), say(STAGE.soon));
}

/** @param {Opened['topics']} topics @param {Say} say */
function chaptersOf(topics, say) {
  const items = topics.map(({ title, start }) => {
    const parts = [formatClock(start ?? 0), title].map((text) => h('span', {}, text));
    return h('li', {}, h('a', { class: 'topic', part: 'chapter', href: `#t=${start}` }, ...parts));
  });
  const heading = h('h2', {}, say(VIEW.topics));
  return h('section', { id: 'topics', part: 'chapters' }, heading, h('ol', {}, ...items));
}

/** @param {NonNullable<Opened['words']>} words @param {Say} say */
function transcriptOf({ status, duration, language }, say) {
  const missing = status === 'completed' ? TRANSCRIPT.noSpeech : TRANSCRIPT.none;
  const follow = h('button', { id: 'follow', hidden: '' }, say(TRANSCRIPT.follow));
  return h(
    'section',
    { id: 'transcript', part: 'transcript', tabindex: '-1' },
    h('div', { class: 'head' }, h('h2', {}, say(VIEW.transcript)), follow),
    status === 'completed' && duration > 0
      ? h('div', { id: 'rows', class: 'seeks', lang: language }, retryOf('loading', 'load-again', say))
      : message(say(status === 'failed' ? TRANSCRIPT.failed : missing)),
  );
}

/** A line that says what has failed. @param {string} id @param {string} button @param {Say} say */
function retryOf(id, button, say) {
  const text = h('span', { id: `${id}-text` });
  return h('p', { id, role: 'status', hidden: '' }, text, h('button', { id: button }, say(COMMON.tryAgain)));
}
