import { PreconditionFailedError } from 'meeting-recording-client';

/** @typedef {{ text: string, revision: number }} Version */

/**
 * Saves a text on which others may work too, on top of what else they have changed since `base`; rejects if they have changed the text
 * itself, which is then the new base, for `onTheirs` to show.
 * @param {{ base: { current: Version }, send: (revision: number) => Promise<unknown>, reload: () => Promise<Version>, onTheirs: (text: string) => void }} saving
 */
export async function saveOver({ base, send, reload, onTheirs }) {
  try {
    await send(base.current.revision);
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error;
    const { text } = base.current;
    base.current = await reload();
    if (base.current.text === text) return send(base.current.revision);
    onTheirs(base.current.text);
    throw error;
  }
}
