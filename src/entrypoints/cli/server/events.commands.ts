import type { Event } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { notice, toJson, type Output } from '../output.js';
import { ifPermitted, onServer, type Session } from './client.js';

export interface EventFilter {
  readonly types?: string;
  readonly recording?: string;
}

/** `events tail`: until it is interrupted, which is not a failure. */
export const tailEvents = ({ json, ...filter }: EventFilter & Output): Promise<void> =>
  onServer(async (session) => {
    const asText = !json && process.stdout.isTTY;
    await requireEvents(session, filter);
    for await (const event of follow(session, filter))
      process.stdout.write(`${asText ? lineOf(event) : toJson(event)}\n`);
  });

/** Throws if there can be no such events: of unknown types, of a recording that is not visible, or for want of a scope. */
export async function requireEvents(
  { api, signal }: Session,
  { types, recording: id }: EventFilter,
): Promise<void> {
  await api.page('/events', { query: { types, recording_id: id, limit: 1 }, signal });
  if (id !== undefined) await ifPermitted(api.get('/recordings/{id}', { path: { id }, signal }));
}

/** Events from now on, also after broken connections, until the session is interrupted. */
export async function* follow(
  { api, url, signal }: Session,
  { types, recording }: EventFilter,
): AsyncGenerator<Event, void> {
  notice(`Following the events of ${url}. Ctrl-C ends this.`);
  for await (const { cursor: _, ...event } of api.events({ types, recording_id: recording, signal }))
    yield event as Event;
}

const lineOf = (event: Event): string =>
  [timeOf(event), singleLine(event.type).padEnd(WIDTH), subjectOf(event)].join('  ').trimEnd();

const timeOf = ({ timestamp }: Event): string => singleLine(timestamp).slice(0, 19).replace('T', ' ');

/** Of most types, so that what follows is aligned. */
const WIDTH = 22;

/** What it is about: the name of the resource, or its id once it is gone. */
function subjectOf({ data }: Event): string {
  const ids: string[] = [];
  for (const [field, value] of Object.entries(data as object)) {
    if (typeof value === 'string' && field.endsWith('_id') && field !== 'organization_id') ids.push(value);
    if (field === 'actor' || field === 'changes' || typeof value !== 'object' || !value) continue;
    const { title, name, email, label } = value as Readonly<Record<string, unknown>>;
    const text = [title, name, email, label].find((one) => typeof one === 'string');
    if (typeof text === 'string') return singleLine(text);
  }
  return singleLine(ids.join(' '));
}
