import { useEffect } from 'preact/hooks';
import { ApiError } from 'meeting-recording-client';
import { api } from './api.js';

/** @import { StreamedEvent } from 'meeting-recording-client' */
/** @typedef {(event: StreamedEvent) => void} Listener */

/** @type {Set<Listener>} */
const listeners = new Set();
/** After an error that the client does not pass by itself. */
const RETRY_MS = 30_000;

/** Calls a listener for what happens from now on, and since the last visit. Returns how to end that. @param {Listener} listener */
export function onEvent(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For components: calls the listener for events whose type begins with one of these. @param {readonly string[]} types @param {Listener} listener */
export function useEvents(types, listener) {
  useEffect(() => {
    const end = onEvent((event) => {
      if (types.some((type) => event.type.startsWith(type))) listener(event);
    });
    return () => void end();
  });
}

/** The recording that an event is about; undefined for other events. @param {StreamedEvent} event */
export const recordingIdOf = ({ data }) => ('recording_id' in data ? data.recording_id : undefined);

/** Reads events until the page is left. @param {string} userId whose they are: each continues where they were */
export function startEvents(userId) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const place = `library.event.${userId}`;
  addEventListener('pagehide', () => leaving.abort());
  // One tab reads the stream, and tells the others by what it stores: browsers open few connections to a host.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === place && newValue) tell(JSON.parse(newValue));
  });
  // Without locks, as on plain HTTP, every tab reads for itself.
  if (navigator.locks)
    navigator.locks.request(place, { signal }, () => read(place, signal)).catch(() => undefined);
  else void read(place, signal);
}

/** @param {StreamedEvent} event */
function tell(event) {
  for (const listener of listeners) listener(event);
}

/** @param {string} place where the last event is stored @param {AbortSignal} signal */
async function read(place, signal) {
  while (!signal.aborted) {
    try {
      const last = JSON.parse(localStorage.getItem(place) ?? '{}');
      for await (const event of api.events({ cursor: last.cursor, signal })) {
        localStorage.setItem(place, JSON.stringify(event));
        tell(event);
      }
    } catch (error) {
      // Older than what is kept: what happened before is no longer known.
      if (error instanceof ApiError && error.code === 'CURSOR_EXPIRED') localStorage.removeItem(place);
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
