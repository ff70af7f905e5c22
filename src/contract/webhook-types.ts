import { EVENT_TYPES } from './change-catalog.js';
import { familyPattern, FAMILY_PATTERNS } from './event-families.js';

/** Stands for all types. */
const EVERYTHING = '*';

/** The names of what a webhook can be sent: types of events, families of them, and everything. */
export const WEBHOOK_TYPES: readonly string[] = [EVERYTHING, ...FAMILY_PATTERNS, ...EVENT_TYPES];

/** Whether a webhook with these `types` is sent events of this type. */
export function isSent(types: readonly string[], type: string): boolean {
  return types.some((one) => one === EVERYTHING || one === type || one === familyPattern(type));
}
