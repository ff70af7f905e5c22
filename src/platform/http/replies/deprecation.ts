import type { Response } from 'express';
import { DAY_MS } from '../../../lib/durations.js';
import { PUBLIC_PATH, type Deprecation } from './reply-headers.js';

/** Whether it is announced for as long as docs/versioning.md promises; false, too, if a date cannot be read. */
export const isLongEnough = ({ since, sunset }: Deprecation): boolean =>
  Date.parse(sunset) - Date.parse(since) >= 365 * DAY_MS;

/** The sentence with which the description of an operation begins. */
export const describeDeprecation = ({ since, sunset, link }: Deprecation): string =>
  `**Deprecated** since ${since}, and may be removed from ${sunset} on: [what to use instead](${link.slice(1)}).`;

/** Announces it in a reply (RFC 9745, RFC 8594). */
export function setDeprecation(response: Response, { since, sunset, link }: Deprecation): void {
  response.setHeader('Deprecation', `@${Date.parse(since) / 1000}`);
  response.setHeader('Sunset', new Date(sunset).toUTCString());
  response.append('Link', `<${String(response.app.locals[PUBLIC_PATH])}${link}>; rel="deprecation"`);
}
