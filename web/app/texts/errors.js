/** @import { Text } from '../text.js' */

/** What errors of the API mean for people, by their codes; of all others, the API's own message is shown. @type {Readonly<Record<string, Text>> & { CONNECTION: Text, UNEXPECTED: Text }} */
export const ERRORS = {
  CONNECTION: [
    'The service cannot be reached. Check your connection and try again; what you typed is still here.',
    'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut; Ihre Eingaben bleiben erhalten.',
  ],
  UNEXPECTED: [
    'Something went wrong. Reload the page.',
    'Etwas ist schiefgegangen. Laden Sie die Seite neu.',
  ],
  SESSION_ENDED: [
    'Your session has ended. Sign in again.',
    'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  ],
  FORBIDDEN: [
    'You are not allowed to do this. Somebody may have changed your role.',
    'Das dürfen Sie nicht. Vielleicht hat jemand Ihre Rolle geändert.',
  ],
  RECORDING_NOT_FOUND: [
    'This recording is not here: it was deleted or moved, or you no longer have access.',
    'Diese Aufnahme gibt es hier nicht: Sie wurde gelöscht oder verschoben, oder Sie haben keinen Zugriff mehr.',
  ],
  RECORDING_LOCKED: [
    'This recording is older than what your plan includes.',
    'Diese Aufnahme ist älter, als Ihr Tarif umfasst.',
  ],
  ORGANIZATION_SUBSCRIPTION_EXPIRED: [
    'The subscription of the organization has expired. An owner can renew it.',
    'Das Abonnement der Organisation ist abgelaufen. Ein Inhaber kann es verlängern.',
  ],
  SHARING_DISABLED: ['Sharing is turned off for you.', 'Das Teilen ist für Sie ausgeschaltet.'],
  QUOTA_EXCEEDED: [
    'The quota is used up. Delete recordings, or ask an owner for more.',
    'Das Kontingent ist aufgebraucht. Löschen Sie Aufnahmen oder bitten Sie einen Inhaber um mehr.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'This file is neither audio nor video that can be read. Convert it, for example to MP4.',
    'Diese Datei ist kein lesbares Audio oder Video. Wandeln Sie sie um, zum Beispiel in MP4.',
  ],
  PAYLOAD_TOO_LARGE: ['The file is too large for this installation.', 'Die Datei ist hier zu groß.'],
  ORGANIZATION_NOT_FOUND: [
    'You are no longer a member of this organization.',
    'Sie sind kein Mitglied dieser Organisation mehr.',
  ],
  PRECONDITION_FAILED: [
    'Somebody else has changed this meanwhile. Look at the new version, then try again.',
    'Inzwischen hat jemand anderes das geändert. Sehen Sie sich die neue Fassung an und versuchen Sie es dann erneut.',
  ],
  RATE_LIMITED: [
    'Too many requests. Wait a minute, then try again.',
    'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es dann erneut.',
  ],
  SERVICE_UNAVAILABLE: [
    'The service is temporarily unavailable. Try again in a minute.',
    'Der Dienst ist vorübergehend nicht verfügbar. Versuchen Sie es in einer Minute erneut.',
  ],
  INTERNAL_ERROR: [
    'The problem is on our end. Try again later.',
    'Das Problem liegt bei uns. Versuchen Sie es später erneut.',
  ],
};
