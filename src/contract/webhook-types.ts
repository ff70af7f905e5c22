import { EVENT_TYPES } from './change-catalog.js';

/** All types. */
const EVERYTHING = '*';

const familyOf = (type: string): string => `${type.slice(0, type.indexOf('.'))}.*`;

/** What a webhook can be sent: types of events, families of them, and everything. */
export const WEBHOOK_TYPES: readonly string[] = [
  EVERYTHING,
  ...new Set(EVENT_TYPES.map(familyOf)),
  ...EVENT_TYPES,
];

/** Whether a webhook with these `types` is sent events of this type. */
export function isSent(types: readonly string[], type: string): boolean {
  return types.some((one) => one === EVERYTHING || one === type || one === familyOf(type));
}
