import SCIMMY from 'scimmy';
import { quoteForMessage } from '../../../lib/text.js';

type Reason = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue';

/** Refuses a request that is not as the protocol says. */
export const badRequest = (reason: Reason, detail: string) => new SCIMMY.Types.Error(400, reason, detail);

/** Refuses what another user or group of the directory has. */
export const taken = (name: string, value: string | null = '') =>
  new SCIMMY.Types.Error(
    409,
    'uniqueness',
    `${name}: the directory has ${quoteForMessage(value ?? '')} already`,
  );

export const notFound = (id: string) =>
  new SCIMMY.Types.Error(404, '', `The directory has nothing with the id ${quoteForMessage(id)}.`);
