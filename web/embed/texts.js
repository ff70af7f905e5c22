// What the element says: as the library does, and of share links, in English and German.
import { COMMON } from '../app/texts/common.js';
import { ERRORS } from '../app/texts/errors.js';
import { SHARED, STAGE, STATUSES, TRANSCRIPT, VIEW } from '../app/texts/recording.js';

/** @import { Text } from '../app/text.js' */
/** @import { Refusal } from './types.js' */
/** @import { Opened } from './source.js' */
/** @typedef {(text: Text) => string} Say in the language of the element */

export const TEXTS = { ...VIEW, ...STAGE, ...COMMON, ...TRANSCRIPT };

/** @type {Readonly<Record<string, Text>>} */
const REFUSALS = {
  ...ERRORS,
  CONNECTION: SHARED.player.unreachable,
  UNAUTHORIZED: [
    'Access has ended. Reload the page.',
    'Der Zugriff ist abgelaufen. Laden Sie die Seite neu.',
  ],
  INVALID_SRC: ['The address of the recording is wrong.', 'Die Adresse der Aufnahme ist falsch.'],
  NOT_FOUND: ['This link is no longer available.', 'Dieser Link ist nicht mehr verfügbar.'],
  SHARE_PASSWORD_REQUIRED: ['This recording needs a password.', 'Für diese Aufnahme ist ein Passwort nötig.'],
  SHARE_PASSWORD_WRONG: ['Wrong password.', 'Falsches Passwort.'],
};

/** @param {Refusal} refusal */
export const refusalOf = ({ code, status }) =>
  REFUSALS[status === 401 ? 'UNAUTHORIZED' : code] ?? ERRORS.UNEXPECTED;

/** What there is to say in place of a player; nothing of meetings of which there are only words. @param {Opened['recording']} recording */
export function insteadOfPlayer({ isLocked, status, media }) {
  if (isLocked) return [STAGE.locked, ERRORS.RECORDING_LOCKED];
  if (status === 'ERROR') return [STATUSES.ERROR];
  return media === 'none' ? [] : [STATUSES[status], STAGE.soon];
}

/** Why there is no transcript; null if there is one. @param {Opened['words']} words @returns {Text | null} */
export function missingTranscript(words) {
  if (!words) return ['The transcript is not available here.', 'Das Transkript ist hier nicht verfügbar.'];
  if (words.status === 'completed') return words.duration > 0 ? null : TRANSCRIPT.noSpeech;
  if (words.status === 'failed') return TRANSCRIPT.failed;
  return isComing(words) ? VIEW.transcribing : TRANSCRIPT.none;
}

/** @param {Opened['words']} words */
export const isComing = (words) => ['queued', 'processing'].includes(words?.status ?? '');

/** What a component of share pages says. @template {Readonly<Record<string, Text>>} T @param {T} texts @param {Say} say */
export const sayAll = (texts, say) =>
  /** @type {{ [K in keyof T]: string }} */ (
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, say(text)]))
  );
