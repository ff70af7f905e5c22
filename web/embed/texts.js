// What the element says in place of a recording: as the library does, and of share links.
import { ERRORS } from '../app/texts/errors.js';
import { SHARED, VIEW } from '../app/texts/recording.js';

/** @import { Text } from '../app/text.js' */
/** @import { Refusal } from './types.js' */
/** @typedef {(text: Text) => string} Say in the language of the element */

/** @type {Readonly<Record<string, Text>>} */
const REFUSALS = {
  ...ERRORS,
  CONNECTION: SHARED.player.unreachable,
  NOT_FOUND: VIEW.unavailable,
  SHARE_PASSWORD_REQUIRED: ['This recording needs a password.', 'Für diese Aufnahme ist ein Passwort nötig.'],
  SHARE_PASSWORD_WRONG: ['Wrong password.', 'Falsches Passwort.'],
};
/** @type {Text} */
const ENDED = ['Access has ended. Reload the page.', 'Der Zugriff ist abgelaufen. Laden Sie die Seite neu.'];

/** @param {Refusal} refusal */
export const refusalOf = ({ code, status }) =>
  status === 401 ? ENDED : (REFUSALS[code] ?? ERRORS.UNEXPECTED);

/** What a component of share pages says. @template {Readonly<Record<string, Text>>} T @param {T} texts @param {Say} say */
export const sayAll = (texts, say) =>
  /** @type {{ [K in keyof T]: string }} */ (
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, say(text)]))
  );
