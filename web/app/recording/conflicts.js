import { PreconditionFailedError } from 'meeting-recording-client';

/** @typedef {{ isChanged: () => boolean, send: () => Promise<unknown>, reload: () => Promise<unknown> }} Saving `isChanged`: by somebody else, since it was opened; `reload`: what it is based on */

/**
 * Saves a text on which others may work too. If only something else has changed meanwhile, saves it on top of that; if it has changed
 * itself, rejects, so that one can compare.
 * @param {Saving} saving
 */
export async function saveOver({ isChanged, send, reload }) {
  for (let isAgain = false; !isChanged(); isAgain = true) {
    try {
      return await send();
    } catch (error) {
      if (isAgain || !(error instanceof PreconditionFailedError)) throw error;
      await reload();
    }
  }
  throw new PreconditionFailedError({
    status: 412,
    code: 'PRECONDITION_FAILED',
    message: '',
    requestId: null,
    retryAfter: null,
  });
}
