// Which recordings changed, by others or by processing, since the user last looked at them.
import { signal } from '@preact/signals';
import { onEvent, recordingIdOf } from '../events.js';
import { route } from '../router.js';

/** @import { StreamedEvent } from 'meeting-recording-client' */

/** What a reader would want to look at again. */
const CHANGES =
  /^(recording\.(created|updated|playable|completed|failed|moved)|transcript\.|summary\.|action_item\.)/;
/** Ids are stored, oldest first; older ones are no news. */
const MAX = 500;

/** The ids. @type {import('@preact/signals').Signal<ReadonlySet<string>>} */
export const unread = signal(new Set());
let place = '';

/** Begins to note changes, for all tabs of a user. @param {string} userId */
export function startUnread(userId) {
  place = `library.unread.${userId}`;
  unread.value = stored();
  addEventListener('storage', ({ key }) => {
    if (key === place) unread.value = stored();
  });
  onEvent((event) => {
    const id = recordingIdOf(event);
    if (!id) return;
    if ('recording' in event.data && event.data.recording === null) markRead(id);
    else if (isNews(event, userId) && !isOpen(id)) store((ids) => ids.add(id));
  });
}

/** Once somebody looks at a recording. @param {string} id */
export function markRead(id) {
  if (unread.peek().has(id)) store((ids) => ids.delete(id));
}

/** Not of what is gone or can no longer be seen. @param {StreamedEvent} event @param {string} userId */
const isNews = ({ type, data }, userId) =>
  CHANGES.test(type) && 'recording' in data && data.recording !== null && data.actor?.id !== userId;

/** @param {string} id */
const isOpen = (id) => route.peek().path === `/recordings/${id}` && !document.hidden;

/** @returns {Set<string>} */
const stored = () => new Set(JSON.parse(localStorage.getItem(place) ?? '[]'));

/** @param {(ids: Set<string>) => void} change */
function store(change) {
  // Another tab may have stored something whose event is still on its way.
  const ids = stored();
  change(ids);
  const kept = [...ids].slice(-MAX);
  unread.value = new Set(kept);
  localStorage.setItem(place, JSON.stringify(kept));
}
