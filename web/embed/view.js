import { make } from '../share/scripts/dom.js';
import { formatClock } from '../share/scripts/moments.js';
import { insteadOfPlayer, missingTranscript, TEXTS } from './texts.js';

/** @import { Text } from '../app/text.js' */
/** @import { Opened } from './source.js' */
/** @import { Say } from './texts.js' */

/** An element with attributes; content of others is only ever text. @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, string | null>} attributes @param {readonly (Node | string | null)[]} children */
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

/** @param {Opened} opened @param {(url: string | null) => string | null} addressOf @param {Say} say */
export function pageOf({ recording, topics, words }, addressOf, say) {
  const isPlayable = recording.media === 'available' && recording.videoUrl !== null;
  const moments = topics.filter(({ start }) => isPlayable && start !== null);
  const instead = isPlayable ? [] : insteadOfPlayer(recording).map(say);
  const language = words?.language ?? null;
  return h(
    'div',
    { class: 'columns' },
    isPlayable ? stageOf(recording, language, addressOf, say) : null,
    instead.length > 0 ? message(...instead) : null,
    moments.length > 0 ? chaptersOf(moments, say) : null,
    transcriptOf(missingTranscript(words), language, say),
  );
}

/** @param {Opened['recording']} recording @param {string | null} srclang @param {(url: string | null) => string | null} addressOf @param {Say} say */
function stageOf({ hlsUrl, videoUrl, thumbnailUrl, captionsUrl }, srclang, addressOf, say) {
  const isAudio = hlsUrl !== null && thumbnailUrl === null;
  const [src = null, poster = null, captions] = [videoUrl, thumbnailUrl, captionsUrl].map(addressOf);
  const behavior = { controls: '', playsinline: '', preload: 'none', crossorigin: 'anonymous', src, poster };
  const look = { part: 'video', class: isAudio ? 'audio' : null };
  const video = h('video', { ...behavior, ...look, 'aria-label': say(isAudio ? TEXTS.audio : TEXTS.video) });
  if (captions)
    video.append(h('track', { kind: 'captions', src: captions, label: say(TEXTS.captions), srclang }));
  const trouble = retryOf('trouble', 'again', say);
  trouble.setAttribute('role', 'alert');
  return h('section', { 'aria-label': say(TEXTS.player) }, video, trouble);
}

/** @param {Opened['topics']} topics @param {Say} say */
function chaptersOf(topics, say) {
  const items = topics.map(({ title, start }) => {
    const parts = [formatClock(start ?? 0), title].map((text) => h('span', {}, text));
    return h('li', {}, h('a', { class: 'topic', part: 'chapter', href: `#t=${start}` }, ...parts));
  });
  const label = say(TEXTS.topics);
  const attributes = { id: 'topics', part: 'chapters', 'aria-label': label };
  return h('section', attributes, h('h2', {}, label), h('ol', {}, ...items));
}

/** @param {Text | null} missing @param {string | null} lang @param {Say} say */
function transcriptOf(missing, lang, say) {
  const label = say(TEXTS.transcript);
  const follow = h('button', { id: 'follow', hidden: '' }, say(TEXTS.follow));
  const head = h('div', { class: 'head' }, h('h2', {}, label), follow);
  const rows = missing
    ? h('p', { part: 'message' }, say(missing))
    : h('div', { id: 'rows', class: 'seeks', lang }, retryOf('loading', 'load-again', say));
  const attributes = { id: 'transcript', part: 'transcript', tabindex: '-1', 'aria-label': label };
  return h('section', attributes, head, rows);
}

/** A line that says what has failed. @param {string} id @param {string} button @param {Say} say */
const retryOf = (id, button, say) =>
  h(
    'p',
    { id, hidden: '' },
    h('span', { id: `${id}-text` }),
    h('button', { id: button }, say(TEXTS.tryAgain)),
  );
