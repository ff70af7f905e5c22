// The entry point of the share page's scripts. The page can be read and played without them.
import { addCaptions, addShortcuts, manageMenus } from './controls.js';
import { find, reloadPage, setText } from './dom.js';
import { hlsLoader, MediaUrls } from './media.js';
import { formatClock } from './moments.js';
import { Chapters, markJumps, Navigation } from './navigation.js';
import { Player } from './player.js';
import { Search } from './search.js';
import { ShareLink, waitForContent } from './share-link.js';
import { TranscriptFollower } from './transcript-follower.js';
import { Transcript } from './transcript.js';

/** @import { ScriptFacts } from './types.js' */

/** @type {ScriptFacts} */
const facts = JSON.parse(document.getElementById('share-facts')?.textContent ?? '{}');
const link = new ShareLink(facts.api, facts.linkEndsIn);
const chapters = new Chapters();
export const [video, list] = [find('video', HTMLVideoElement), find('rows', HTMLElement)];
const [form, field] = [find('search', HTMLFormElement), find('query', HTMLInputElement)];
const isLive = facts.transcript?.isLive ?? false;
const transcript = list && !isLive ? new Transcript(list) : null;
const follower = transcript && new TranscriptFollower(transcript);

/** Few pages are opened while their recording is processed. */
async function waitForRecording() {
  const processing = await import('./processing.js');
  await processing.waitForRecording(link, isLive ? list : null);
}

/** Called when the position changes, by playback or by a jump. @param {number} seconds */
function onMove(seconds) {
  follower?.mark(seconds);
  chapters.mark(seconds);
  setText('copy-time', formatClock(seconds));
}

export const player = video && startPlayer(video);
const navigation = new Navigation({ video, player, follower, duration: facts.duration, onMove });
/** Plays from a match, as from every other moment, unless the viewer has paused to read. @param {number} seconds */
const goTo = (seconds) => navigation.goTo(seconds, !player?.isPaused);
const search =
  transcript && follower && form && field && new Search(form, field, { transcript, follower, goTo });

/** @param {HTMLVideoElement} element */
function startPlayer(element) {
  const nonce = find('share-script', HTMLScriptElement)?.nonce ?? '';
  const urls = new MediaUrls(facts.hls, facts.video, facts.mediaEndsIn);
  const loadHls = hlsLoader(element.dataset.player ?? '', nonce);
  return new Player(element, { source: link, urls, loadHls, onMove });
}

function loadTranscript() {
  if (!facts.transcript) return;
  void transcript?.load(link, facts.transcript, {
    onRows: (from) => search?.rowsAdded(from),
    onPage: () => follower?.update(),
    onSuperseded: reloadPage,
  });
}

function showDate() {
  const date = find('date', HTMLTimeElement);
  const time = new Date(date?.dateTime ?? '');
  if (!date || Number.isNaN(time.getTime())) return;
  date.textContent = time.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
}

showDate();
manageMenus();
markJumps();
if (video) addCaptions(video);
addShortcuts({ video, player, navigation, search });
link.addEventListener('closed', reloadPage);
link.watchExpiry();
void link.countView(facts.views);
// After the first paint.
requestAnimationFrame(() => setTimeout(loadTranscript));
navigation.openUrl();
if (facts.state === 'processing') void waitForRecording();
else if (
  (facts.state === 'playable' || facts.state === 'words') &&
  !((facts.hls || facts.state === 'words') && facts.transcript && document.querySelector('.summary, .topics'))
) {
  void waitForContent(link, { isWatched: () => player?.isStarted ?? false, hasHls: facts.hls !== null });
}
