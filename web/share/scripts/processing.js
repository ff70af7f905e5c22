import { find, reloadPage, setText } from './dom.js';
import { LiveTranscript } from './live-transcript.js';
import { waitUntilVisible } from './share-link.js';

/** @import { ShareLink } from './share-link.js' */

/** How often to look for words of a meeting in progress. */
const LIVE_MS = 3_000;

/** Updates the status, the progress and what is being said; reloads the page when processing has ended. @param {ShareLink} link @param {HTMLElement | null} list the rows of a meeting in progress */
export async function waitForRecording(link, list) {
  const live = list && new LiveTranscript(list);
  let isBehind = live !== null;
  for (let ms = 5_000; !link.isClosed; ms = Math.min(10_000, ms * 1.25)) {
    await waitUntilVisible(isBehind ? 0 : live ? LIVE_MS : ms);
    const chunk = live?.chunk ?? 1;
    const page = await link.fetchPage(chunk);
    if (link.isClosed) return;
    isBehind = false;
    if (!page) continue;
    const progress = page.getElementById('progress');
    if (!progress || (page.getElementById('transcript') !== null) !== (live !== null)) return reloadPage();
    isBehind = live?.update([...page.querySelectorAll('#rows li')], chunk) ?? false;
    for (const id of ['status-title', 'status-text', 'percent'])
      setText(id, page.getElementById(id)?.textContent ?? '');
    const value = page.getElementById('progress-bar')?.getAttribute('value') ?? '0';
    find('progress-bar', Element)?.setAttribute('value', value);
    find('progress', Element)?.toggleAttribute('hidden', progress.hasAttribute('hidden'));
  }
}
