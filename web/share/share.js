// The script of the share page: player, moments, transcript, search. The page reads and plays without it.

/** @type {ScriptFacts} */
const facts = JSON.parse(document.getElementById('share-facts')?.textContent ?? '{}');
const video = find('video', HTMLVideoElement);
/** Any reply that does not start at 0, which would count as a view. */
const STATE = 'start_chunk=1&limit=1';
const CHUNKS_AT_ONCE = 100;
const ROWS_IN_CHUNK = 20;
const MAX_TIMEOUT = 2 ** 31 - 1;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** @template {Element} T @param {string} id @param {new () => T} kind @returns {T | null} */
function find(id, kind) {
  const found = document.getElementById(id);
  return found instanceof kind ? found : null;
}

/** @param {string} id @param {string} text */
function write(id, text) {
  const place = find(id, HTMLElement);
  if (place && place.textContent !== text) place.textContent = text;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Partial<HTMLElementTagNameMap[T]>} [fields] */
function make(tag, fields = {}) {
  return Object.assign(document.createElement(tag), fields);
}

/** @param {number} seconds */
function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const short = `${minutes}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${short.padStart(5, '0')}` : short;
}

/** `#t=645`, `#t=645.5`, `#t=10:45`, `#t=1:02:03`; null: no moment. @param {string | null} [hash] */
function momentOf(hash) {
  const [, time] = /^#t=(\d+(?::\d{1,2}){0,2}(?:\.\d+)?)s?$/.exec(hash ?? '') ?? [];
  return time === undefined ? null : time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

// --- What stands behind the link ---

let ended = false;
let mediaEndsAt = Date.now() + (facts.mediaEndsIn ?? Infinity);
let linkEndsAt = Date.now() + (facts.linkEndsIn ?? Infinity);

/** Null: no answer. Where the link no longer opens, the server shows what there is to see. @param {string} query @returns {Promise<Share | null>} */
async function ask(query) {
  try {
    const response = await fetch(`${facts.api}?${query}`, { cache: 'no-store' });
    if ([403, 404, 410].includes(response.status)) {
      ended = true;
      stop();
      reload();
    }
    return response.ok ? (await response.json()).data : null;
  } catch {
    return null;
  }
}

/** A page that was just reloaded waits a little, so that nothing can make it go round in circles. */
function reload() {
  const [visit] = performance.getEntriesByType('navigation');
  const again = visit instanceof PerformanceNavigationTiming && visit.type === 'reload';
  setTimeout(() => location.reload(), again ? Math.max(0, 10_000 - performance.now()) : 0);
}

/** Waits, while the page is hidden for as long as it is; coming into sight ends it. @param {number} ms @returns {Promise<void>} */
function pause(ms) {
  return new Promise((resolve) => {
    const inSight = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', inSight);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(inSight, ms);
    document.addEventListener('visibilitychange', inSight);
  });
}

async function waitUntilPrepared() {
  for (let ms = 5_000; !ended; ms = Math.min(30_000, ms * 1.25)) {
    await pause(ms);
    const recording = (await ask(STATE))?.recording;
    if (!recording) continue;
    if (['MIGRATING', 'COMPLETED', 'ERROR'].includes(recording.status)) return reload();
    const percent = Math.floor(recording.progress * 100);
    find('progress', Element)?.setAttribute('value', String(percent));
    write('percent', `${percent}%`);
  }
}

/** Transcript and summary may come later; who is watching already is not disturbed. */
async function waitForContent() {
  let awaited = false;
  for (let ms = 3_000; ; ms = Math.min(60_000, ms * 2)) {
    await pause(ms);
    if (engine !== null || ended) return;
    const reply = await ask(STATE);
    if (!reply) continue;
    if ([reply.transcript?.status, reply.summary?.status].includes('processing')) awaited = true;
    else return awaited ? reload() : undefined;
  }
}

function watchLinkEnd() {
  const left = linkEndsAt - Date.now();
  if (left === Infinity) return;
  setTimeout(
    async () => {
      if (Date.now() < linkEndsAt) return watchLinkEnd();
      // It may have been given more time; then it is asked again now and then.
      await ask(STATE);
      linkEndsAt = Date.now() + 120_000;
      if (!ended) watchLinkEnd();
    },
    Math.min(Math.max(0, left) + 300, MAX_TIMEOUT),
  );
}

// --- Player ---

const addresses = { hls: facts.hls, file: facts.video };
/** @type {Engine | null} What the video plays from; null: nothing was started. */
let engine = null;
/** @type {HlsPlayer | null} */
let hls = null;
/** @type {number | null} Where to go as soon as there is something to go in. */
let goingTo = null;
/** Whether it is to play then. */
let resumes = false;
let renewedAt = -Infinity;
let failing = false;
/** @type {Promise<HlsLibrary | null> | undefined} */
let library;

/**
 * Engines in the order in which they are tried. A browser's own HLS comes first where it is the better one: where it can hand
 * the film on to a television (AirPlay: Safari), or where there is nothing else. Chromium 156 plays and seeks HLS by itself,
 * too, but hls.js tells what went wrong: a refused address is renewed at once.
 * @returns {Engine[]}
 */
function engines() {
  if (!video || !addresses.hls) return ['file'];
  const native = video.canPlayType('application/vnd.apple.mpegurl') !== '';
  const sources = 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis;
  if (native && (!sources || 'webkitShowPlaybackTargetPicker' in video)) return ['native', 'file'];
  return sources ? ['hls', 'file'] : ['file'];
}

/** hls.js, loaded when it is needed; null: it does not load. */
function loadLibrary() {
  library ??= new Promise((resolve) => {
    const nonce = find('share-script', HTMLScriptElement)?.nonce ?? '';
    const script = make('script', { nonce, src: video?.dataset.player ?? '' });
    script.addEventListener('load', () => resolve(globalThis.Hls ?? null));
    script.addEventListener('error', () => resolve(null));
    document.head.append(script);
  });
  return library;
}

/** @param {Engine} next @param {number} at @param {boolean} plays */
async function start(next, at, plays) {
  if (!video || ended) return;
  engine = next;
  goingTo = at;
  resumes = plays;
  tell(null);
  hls?.destroy();
  hls = null;
  video.preload = 'auto';
  if (next === 'hls') {
    // Nothing else shall play while the library loads.
    video.removeAttribute('src');
    video.load();
    const Hls = await loadLibrary();
    if (engine !== 'hls' || hls || ended) return;
    if (!Hls?.isSupported()) return start('file', goingTo ?? at, resumes);
    hls = new Hls({ enableWorker: false, startPosition: goingTo ?? at });
    hls.on(Hls.Events.ERROR, (_, { fatal, type, response }) => {
      // hls.js would try a refused address again and again.
      const refused = [403, 404, 410].includes(response?.code ?? 0);
      if (fatal || refused) void failed(type === Hls.ErrorTypes.MEDIA_ERROR);
    });
    hls.loadSource(addresses.hls ?? '');
    hls.attachMedia(video);
  } else {
    const address = (next === 'native' ? addresses.hls : addresses.file) ?? '';
    // The page may have it already; what is loading goes on.
    if (video.getAttribute('src') !== address || video.error) video.src = address;
  }
  if (resumes) play();
}

function play() {
  // A browser may want a click first; the controls are there.
  video?.play().catch(() => undefined);
}

function stop() {
  hls?.destroy();
  hls = null;
  video?.pause();
  video?.removeAttribute('src');
  video?.load();
}

/** Where the reader is, also while the media is on its way there. */
function here() {
  return goingTo ?? video?.currentTime ?? 0;
}

// Media that fails may only have had an address that ended: new ones are taken and it goes on in the same place, once in
// ten seconds. Otherwise the next engine has its try.
/** @param {boolean} [undecodable] */
async function failed(undecodable = false) {
  if (!video || !engine || failing || ended) return;
  failing = true;
  // What it has goes on playing meanwhile, and the reader may seek.
  hls?.stopLoad();
  const reply = await ask(STATE);
  failing = false;
  if (ended) return;
  if (!reply) return tell('The recording cannot be reached at the moment.');
  take(reply.recording);
  const renews = !undecodable && performance.now() - renewedAt > 10_000;
  if (renews) renewedAt = performance.now();
  const line = engines();
  const next = renews ? engine : line[line.indexOf(engine) + 1];
  if (!next) return tell('This browser could not play the recording.');
  await start(next, here(), resumes || !video.paused);
}

/** Only the path, which is of this host. @param {string | null | undefined} address */
function path(address) {
  if (!address) return null;
  const { pathname, search: query } = new URL(address, location.href);
  return pathname + query;
}

/** @param {SharedRecording} recording */
function take({ hlsUrl, videoUrl, thumbnailUrl, downloadUrl }) {
  addresses.hls = path(hlsUrl);
  addresses.file = path(videoUrl) ?? addresses.file;
  mediaEndsAt = Date.now() + (facts.mediaEndsIn ?? Infinity);
  const [poster, download] = [path(thumbnailUrl), path(downloadUrl)];
  const button = find('download', HTMLAnchorElement);
  if (button && download) button.href = download;
  if (video && poster && engine === null) video.poster = poster;
}

/** After a night in the background the addresses have ended, and perhaps the link. */
async function comeBack() {
  if (document.visibilityState !== 'visible' || Date.now() < Math.min(mediaEndsAt, linkEndsAt)) return;
  const reply = await ask(STATE);
  if (!reply || !video) return;
  take(reply.recording);
  if (engine) await start(engine, here(), !video.paused);
  else if (addresses.file) video.src = addresses.file;
}

/** Whoever reads for long still finds addresses that work behind the buttons; what plays renews its own when it has to. */
function keepAddresses() {
  const left = mediaEndsAt - Date.now();
  if (left === Infinity || ended) return;
  const renew = async () => {
    const reply = document.visibilityState === 'visible' ? await ask(STATE) : null;
    if (reply) take(reply.recording);
    keepAddresses();
  };
  setTimeout(() => void renew(), Math.min(Math.max(left * 0.8, 5_000), MAX_TIMEOUT));
}

/** @param {string | null} text */
function tell(text) {
  const line = find('trouble', HTMLElement);
  if (line) line.hidden = text === null;
  write('trouble-text', text ?? '');
}

/** @param {number} seconds @param {boolean} plays */
function jump(seconds, plays) {
  const at = Math.max(0, Math.min(seconds, facts.duration ?? Infinity));
  moved(at);
  if (!video) return;
  if (engine === null) return void start(engines()[0] ?? 'file', at, plays);
  if (video.readyState > 0) video.currentTime = at;
  else [goingTo, resumes] = [at, resumes || plays];
  if (plays) play();
}

function startPlayer() {
  if (!video) return;
  const [first] = engines();
  // Costs nothing before it is played, and needs no change of sources under the reader's finger.
  if (first === 'native' && addresses.hls) video.src = addresses.hls;
  if (first === 'hls') video.addEventListener('pointerenter', loadLibrary, { once: true });
  video.addEventListener('play', () => {
    if (engine === null) void start(first ?? 'file', 0, true);
  });
  video.addEventListener('error', () => {
    if (engine !== 'hls') void failed();
  });
  video.addEventListener('loadedmetadata', () => {
    if (goingTo !== null && Math.abs(video.currentTime - goingTo) > 0.25) video.currentTime = goingTo;
    goingTo = null;
    resumes = false;
  });
  for (const event of ['timeupdate', 'seeking']) video.addEventListener(event, () => moved(here()));
  document.addEventListener('visibilitychange', () => void comeBack());
  keepAddresses();
  find('again', HTMLElement)?.addEventListener('click', () => void failed());
  addEventListener('online', () => {
    if (find('trouble', HTMLElement)?.hidden === false) void failed();
  });
  const speed = find('speed', HTMLSelectElement);
  speed?.addEventListener('change', () => {
    video.defaultPlaybackRate = video.playbackRate = Number(speed.value);
  });
}

// --- Moments, chapters ---

const chapters = [...document.querySelectorAll('.chapters a')].map((link) => ({
  link,
  from: momentOf(link.getAttribute('href')) ?? 0,
}));
/** @type {Element | undefined} */
let chapter;

/** The recording is at this moment, by itself or by a jump. @param {number} seconds */
function moved(seconds) {
  mark(seconds);
  /** @type {Element | undefined} */
  let now;
  for (const { link, from } of chapters) if (from <= seconds + 0.05) now = link;
  if (now !== chapter) {
    chapter?.removeAttribute('aria-current');
    now?.setAttribute('aria-current', 'true');
    chapter = now;
  }
  if (facts.duration) {
    find('played-to', Element)?.setAttribute('width', String((seconds / facts.duration) * 1000));
  }
  write('copy-time', clock(seconds));
}

async function copyMoment() {
  const value = `${location.origin}${location.pathname}#t=${Math.floor(here())}`;
  const field = find('link', HTMLInputElement);
  try {
    await navigator.clipboard.writeText(value);
    write('copied', `Copied: ${clock(here())}`);
    setTimeout(() => write('copied', ''), 4_000);
  } catch {
    // Not on plain http, or not allowed.
    write('copied', 'Copy this:');
    if (!field) return;
    Object.assign(field, { value, hidden: false });
    field.select();
  }
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const target = /** @type {Element} */ (event.target);
  closeMenus(target);
  const piece = target.closest('.bar [data-t]');
  if (piece) return jumpTo(`#t=${piece.getAttribute('data-t')}`);
  const words = target.closest('.rows li p');
  // Who selects text wants the text.
  if (words && getSelection()?.type === 'Range') return;
  const link = words ? words.parentElement?.querySelector('a') : target.closest('a');
  const hash = link?.getAttribute('href') ?? '';
  if (!video || momentOf(hash) === null) return;
  event.preventDefault();
  jumpTo(hash);
}

/** @param {string} hash */
function jumpTo(hash) {
  history.replaceState(null, '', hash);
  follow(true);
  jump(momentOf(hash) ?? 0, true);
  const box = video?.getBoundingClientRect();
  if (box && box.bottom < box.height / 2) video?.scrollIntoView({ block: 'center', behavior: motion(true) });
}

function jumpToAddress() {
  const moment = momentOf(location.hash);
  if (moment === null) return;
  summoned = true;
  follow(true);
  jump(moment, false);
}

// --- Transcript ---

const transcript = find('transcript', HTMLElement);
const list = find('rows', HTMLElement);
const head = find('head', HTMLElement);
const followButton = find('follow', HTMLButtonElement);
/** @type {number[]} */
const starts = [];
/** @type {string[]} */
const texts = [];
/** @type {HTMLElement[]} */
const items = [];
const tones = new Map(
  [...document.querySelectorAll('.people .dot')].map((name, index) => [name.textContent, `s${index % 8}`]),
);
/** Where some speakers are named, those who are not are told apart from them. */
const unknown = tones.size > 0 ? 'Unknown speaker' : '';
let complete = !facts.transcript;
let current = -1;
let following = true;
/** The next row that is marked is to be shown, wherever the reader is. */
let summoned = false;
let quietUntil = 0;
let shownAt = -1;

/** @param {Iterable<HTMLElement>} added */
function collect(added) {
  for (const item of added) {
    starts.push(momentOf(item.querySelector('a')?.getAttribute('href')) ?? 0);
    texts.push(item.lastElementChild?.textContent ?? '');
    items.push(item);
  }
}

/** Exactly as in `transcript.eta`. @param {Segment} segment @param {boolean} named */
function rowOf({ start: seconds, text, speaker }, named) {
  const row = make('li');
  const textContent = speaker || unknown;
  if (named && textContent !== '') {
    const className = `dot ${tones.get(speaker) ?? 's0'}`;
    row.append(make('b', { className, dir: 'auto', textContent }));
  }
  const time = make('a', { href: `#t=${seconds}`, textContent: clock(seconds) });
  row.append(time, make('p', { textContent: text }));
  return row;
}

async function loadRows() {
  if (!facts.transcript || !list) return;
  const { revision, fromChunk, toChunk, totalChunks } = facts.transcript;
  let chunk = fromChunk > 0 ? 0 : toChunk;
  let dropped = fromChunk === 0;
  const last = [...list.querySelectorAll('b')].at(-1)?.textContent ?? '';
  let speaker = last === unknown ? '' : last;
  const height = heights();
  while (chunk < totalChunks) {
    void sayLoading('Loading the rest of the transcript');
    const page = (await ask(`start_chunk=${chunk}&limit=${CHUNKS_AT_ONCE}`))?.transcript;
    if (ended) return;
    if (!page) {
      await sayLoading('The rest of the transcript could not be loaded.', true);
      continue;
    }
    if (page.revision !== revision) return reload();
    if (!dropped) {
      dropped = true;
      for (const old of list.querySelectorAll('ol')) old.remove();
      starts.length = texts.length = items.length = 0;
      [speaker, current] = ['', -1];
    }
    for (let first = 0; first < page.segments.length; first += ROWS_IN_CHUNK) {
      const group = make('ol');
      let letters = 0;
      for (const segment of page.segments.slice(first, first + ROWS_IN_CHUNK)) {
        group.append(rowOf(segment, segment.speaker !== speaker));
        speaker = segment.speaker;
        letters += segment.text.length;
      }
      group.style.containIntrinsicSize = `auto ${height(letters, group.childElementCount)}px`;
      list.insertBefore(group, find('loading', HTMLElement));
      const from = items.length;
      collect(group.querySelectorAll('li'));
      search?.grown(from);
      // The reader comes first.
      if ((first / ROWS_IN_CHUNK) % 5 === 4) await new Promise((resolve) => setTimeout(resolve));
    }
    chunk += CHUNKS_AT_ONCE;
    if (!page.pagination.has_more) break;
    mark(shownAt);
  }
  complete = true;
  void sayLoading(null);
  mark(shownAt);
  search?.grown(items.length);
}

/** How high chunks will be, by those that are there: scroll bars and jumps are right before anything is drawn. */
function heights() {
  const known = list?.querySelector('ol');
  const [letters, count] = [known?.textContent?.length ?? 0, known?.childElementCount ?? 0];
  const perLetter = letters > 0 ? Math.max(0.1, ((known?.offsetHeight ?? 0) - count * 34) / letters) : 0.4;
  return (/** @type {number} */ size, /** @type {number} */ rows) => Math.round(size * perLetter + rows * 34);
}

/** With a button: until it is pressed. @param {string | null} text @param {boolean} [retry] */
async function sayLoading(text, retry = false) {
  const line = find('loading', HTMLElement);
  const button = find('load-again', HTMLElement);
  if (!line || !button) return;
  line.hidden = text === null;
  write('loading-text', text ?? '');
  button.hidden = !retry;
  if (retry) await new Promise((resolve) => button.addEventListener('click', resolve, { once: true }));
}

/** Marks the row that is spoken at this time. @param {number} seconds */
function mark(seconds) {
  shownAt = seconds;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= seconds + 0.05) low = middle + 1;
    else high = middle;
  }
  // Behind the last row there may be others that are still on their way.
  const now = low === starts.length && !complete ? -1 : low - 1;
  if (now === current) return;
  items[current]?.removeAttribute('aria-current');
  items[now]?.setAttribute('aria-current', 'true');
  current = now;
  follow(following);
  if (following) bring(items[now], summoned);
  if (now >= 0) summoned = false;
}

/** @param {boolean} on */
function follow(on) {
  following = on;
  if (followButton) followButton.hidden = on || current < 0;
}

/** The part of the window in which rows are read; in one column below the player and the search that stay there. */
function readingArea() {
  const box = list?.getBoundingClientRect();
  if (!list || !head || !box) return null;
  if (getComputedStyle(list).overflowY === 'auto') {
    return { top: box.top, bottom: box.bottom, scroller: list, steady: true, inSight: true };
  }
  const { position, top } = getComputedStyle(head);
  const steady = position === 'sticky';
  const from = steady ? parseFloat(top) + head.offsetHeight : 0;
  const inSight = box.top < innerHeight * 0.8 && box.bottom > from;
  return { top: from, bottom: innerHeight, scroller: document.documentElement, steady, inSight };
}

/** @param {boolean} near @returns {ScrollBehavior} */
function motion(near) {
  return near && !calm.matches ? 'smooth' : 'instant';
}

// Brings a row to where it is read best. Of itself (not `wanted`) it never takes the page away from who reads something else.
/** @param {HTMLElement | undefined} item @param {boolean} wanted @param {number} [tries] */
function bring(item, wanted, tries = 4) {
  const area = readingArea();
  if (!item || !area || !(area.inSight || (wanted && area.steady))) return;
  const box = item.getBoundingClientRect();
  const height = area.bottom - area.top;
  if (tries === 4 && box.top >= area.top + height * 0.08 && box.bottom <= area.top + height * 0.7) return;
  const way = box.top - (area.top + height * 0.28);
  if (Math.abs(way) < 3) return;
  const behavior = motion(Math.abs(way) < height && tries === 4);
  quietUntil = performance.now() + (behavior === 'smooth' ? 1_000 : 250);
  area.scroller.scrollBy({ top: way, behavior });
  // Rows on the way get their true height only now.
  if (behavior === 'instant' && tries > 0) requestAnimationFrame(() => bring(item, wanted, tries - 1));
}

function scrolledByHand() {
  follow(false);
}

function startTranscript() {
  if (!transcript || !list) return;
  collect(list.querySelectorAll('li'));
  let checks = false;
  const look = () => {
    checks = false;
    const area = readingArea();
    const box = items[current]?.getBoundingClientRect();
    if (area && box && following && (box.bottom < area.top || box.top > area.bottom)) follow(false);
  };
  const onScroll = () => {
    if (!following || checks || performance.now() < quietUntil) return;
    checks = true;
    requestAnimationFrame(look);
  };
  list.addEventListener('wheel', scrolledByHand, { passive: true });
  list.addEventListener('touchmove', scrolledByHand, { passive: true });
  list.addEventListener('scroll', onScroll, { passive: true });
  document.addEventListener('scroll', onScroll, { passive: true });
  followButton?.addEventListener('click', () => {
    follow(true);
    bring(items[current], true);
    transcript.focus({ preventScroll: true });
  });
  requestAnimationFrame(() => setTimeout(() => void loadRows()));
}

// --- Search ---

/** Without case and accents. @param {string} text */
function fold(text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ς', 'σ');
}

/** Where in the text each unit of the folded text comes from. @param {string} text */
function origins(text) {
  /** @type {number[]} */
  const from = [];
  let at = 0;
  for (const letter of text) {
    for (let unit = fold(letter).length; unit > 0; unit -= 1) from.push(at);
    at += letter.length;
  }
  return from;
}

const search = startSearch();

function startSearch() {
  const form = find('search', HTMLFormElement);
  const field = find('query', HTMLInputElement);
  const buttons = [find('previous', HTMLButtonElement), find('next', HTMLButtonElement)];
  if (!form || !field) return null;
  /** @type {string[]} */
  const folded = [];
  /** @type {{ row: number, at: number }[]} */
  let matches = [];
  /** @type {Map<number, number>} The first match of a row. */
  let firstOf = new Map();
  /** @type {Set<number>} */
  const painted = new Set();
  let needle = '';
  let chosen = -1;
  let round = 0;
  let timer = 0;

  /** @param {number} from */
  const scan = (from) => {
    if (needle === '') return;
    for (let row = from; row < texts.length; row += 1) {
      const text = (folded[row] ??= fold(texts[row] ?? ''));
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
        if (!firstOf.has(row)) firstOf.set(row, matches.length);
        matches.push({ row, at });
      }
    }
  };

  /** @param {number} row */
  const paint = (row) => {
    const words = items[row]?.lastElementChild;
    const text = texts[row] ?? '';
    let match = firstOf.get(row);
    if (!words || (match === undefined && !painted.delete(row))) return;
    if (match === undefined) {
      words.textContent = text;
      return;
    }
    painted.add(row);
    const from = origins(text);
    const parts = [];
    let done = 0;
    for (; matches[match]?.row === row; match += 1) {
      const at = matches[match]?.at ?? 0;
      const begin = Math.max(done, from[at] ?? 0);
      const end = Math.max(begin, from[at + needle.length] ?? text.length);
      const className = match === chosen ? 'now' : '';
      const found = make('mark', { className, textContent: text.slice(begin, end) });
      parts.push(text.slice(done, begin), found);
      done = end;
    }
    words.replaceChildren(...parts, text.slice(done));
  };

  /** All rows in small pieces, those in front of the reader first. @param {number} from */
  const paintAll = async (from) => {
    const mine = (round += 1);
    let until = performance.now() + 8;
    const rows = items.length;
    for (let step = 0; step < rows; step += 1) {
      paint((from + step) % rows);
      if (performance.now() < until) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (mine !== round) return;
      until = performance.now() + 8;
    }
  };

  const say = () => {
    const found = matches.length > 0 ? `${chosen + 1} of ${matches.length}` : complete ? 'No matches' : '';
    const more = complete ? '' : ' still loading';
    write('count', needle === '' ? '' : `${found}${more}`.trim());
    for (const button of buttons) if (button) button.disabled = matches.length === 0;
  };

  /** @param {number} index */
  const choose = (index) => {
    const before = matches[chosen]?.row;
    chosen = matches.length > 0 ? (index + matches.length) % matches.length : -1;
    const row = matches[chosen]?.row;
    if (before !== undefined) paint(before);
    if (row !== undefined) {
      paint(row);
      follow(false);
      bring(items[row], true);
    }
    say();
  };

  const begin = () => {
    clearTimeout(timer);
    const wanted = fold(field.value.trim());
    if (wanted === needle) return false;
    needle = wanted;
    [matches, firstOf, chosen] = [[], new Map(), -1];
    scan(0);
    choose(0);
    void paintAll(matches[0]?.row ?? 0);
    return true;
  };

  /** @param {number} step */
  const go = (step) => {
    if (!begin()) choose(chosen + step);
  };

  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(begin, 120);
  });
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Escape') field.value = '';
    if (event.key === 'Escape') begin();
    else go(event.shiftKey ? -1 : 1);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  buttons[0]?.addEventListener('click', () => go(-1));
  buttons[1]?.addEventListener('click', () => go(1));

  return {
    focus: () => field.select(),
    /** Rows came, from this one on. @param {number} from */
    grown: (from) => {
      if (from === 0) [folded.length, matches, firstOf, chosen] = [0, [], new Map(), -1];
      if (needle === '') return;
      scan(from);
      if (chosen < 0 && matches.length > 0) choose(0);
      for (let row = from; row < items.length; row += 1) paint(row);
      say();
    },
  };
}

// --- Keys, menus, date ---

const keys = find('keys', HTMLInputElement);

/** Keys without a control in focus; they can be switched off, for those who speak to their computer. @param {KeyboardEvent} event */
function onKey(event) {
  if (event.key === 'Escape') closeMenus(null);
  if (!video || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {Element} */ (event.target);
  if (!keys?.checked || target.closest('a, button, input, select, summary, textarea')) return;
  // The player has these itself.
  if (target === video && (event.key === ' ' || event.key.startsWith('Arrow'))) return;
  const steps = new Map(Object.entries({ ArrowLeft: -5, ArrowRight: 5, j: -10, l: 10 }));
  const step = steps.get(event.key);
  if (step !== undefined) jump(here() + step, !video.paused);
  else if (event.key === ' ' || event.key === 'k') {
    if (video.paused) play();
    else video.pause();
  } else if (event.key === '/' && search) search.focus();
  else return;
  event.preventDefault();
}

/** @param {Element | null} inside */
function closeMenus(inside) {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (inside && menu.contains(inside)) continue;
    const hadFocus = menu.contains(document.activeElement);
    menu.removeAttribute('open');
    if (hadFocus && !inside) menu.querySelector('summary')?.focus();
  }
}

function keepChoiceOfKeys() {
  // Storage may be forbidden; then the choice lasts as long as the page.
  try {
    if (keys) keys.checked = !localStorage.getItem('share-keys-off');
    keys?.addEventListener('change', () => localStorage.setItem('share-keys-off', keys.checked ? '' : '1'));
  } catch {}
}

function showDate() {
  const date = find('date', HTMLTimeElement);
  const time = new Date(date?.dateTime ?? '');
  if (!date || Number.isNaN(time.getTime())) return;
  date.textContent = time.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
}

showDate();
keepChoiceOfKeys();
startPlayer();
startTranscript();
watchLinkEnd();
document.addEventListener('click', onClick);
document.addEventListener('keydown', onKey);
addEventListener('hashchange', jumpToAddress);
find('copy', HTMLButtonElement)?.addEventListener('click', () => void copyMoment());
jumpToAddress();
if (facts.state === 'processing') void waitUntilPrepared();
else if (facts.state === 'playable' && !(facts.transcript && document.getElementById('summary'))) {
  void waitForContent();
}
