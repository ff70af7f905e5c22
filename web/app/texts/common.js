// Texts of the frame of the page, and those that several views share.

/** @import { Text } from '../text.js' */

export const FRAME = /** @type {const} @satisfies {Record<string, Text>} */ ({
  product: ['Meeting recordings', 'Besprechungsaufnahmen'],
  skip: ['Skip to content', 'Zum Inhalt springen'],
  menu: ['Main navigation', 'Hauptnavigation'],
  recordings: ['Recordings', 'Aufnahmen'],
  actionItems: ['Action items', 'Aufgaben'],
  questions: ['Ask', 'Fragen'],
  record: ['Record', 'Aufnehmen'],
  upload: ['Upload', 'Hochladen'],
  organizations: ['Organizations', 'Organisationen'],
  deleted: ['Deleted recordings', 'Gelöschte Aufnahmen'],
  account: ['Account', 'Konto'],
  signOut: ['Sign out', 'Abmelden'],
  notFound: ['This page does not exist.', 'Diese Seite gibt es nicht.'],
  toRecordings: ['To your recordings', 'Zu Ihren Aufnahmen'],
  offline: ['No connection. Trying again…', 'Keine Verbindung. Neuer Versuch…'],
  ended: ['Your session has ended', 'Ihre Sitzung ist beendet'],
  endedText: [
    'Sign in again in a new tab, then continue here. What you typed is still here.',
    'Melden Sie sich in einem neuen Tab erneut an und machen Sie dann hier weiter. Ihre Eingaben bleiben erhalten.',
  ],
  signIn: ['Sign in', 'Anmelden'],
  goOn: ['Continue', 'Weiter'],
});

export const COMMON = /** @type {const} @satisfies {Record<string, Text>} */ ({
  loading: ['Loading…', 'Wird geladen…'],
  tryAgain: ['Try again', 'Erneut versuchen'],
  save: ['Save', 'Speichern'],
  cancel: ['Cancel', 'Abbrechen'],
  close: ['Close', 'Schließen'],
  delete: ['Delete', 'Löschen'],
  undo: ['Undo', 'Rückgängig'],
  more: ['Show more', 'Mehr anzeigen'],
  copy: ['Copy', 'Kopieren'],
  copied: ['Copied', 'Kopiert'],
  personal: ['Personal', 'Persönlich'],
  none: ['None', 'Keine'],
  all: ['All', 'Alle'],
  status: ['Status', 'Status'],
  organization: ['Organization', 'Organisation'],
  folder: ['Folder', 'Ordner'],
  summary: ['Summary', 'Zusammenfassung'],
  noFolder: ['No folder', 'Kein Ordner'],
  actions: ['More actions', 'Weitere Aktionen'],
});

export const FILTERS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  title: ['Filters', 'Filter'],
  from: ['Meetings from', 'Besprechungen ab'],
  to: ['Meetings until', 'Besprechungen bis'],
  clear: ['Clear filters', 'Filter aufheben'],
});

/** Why somebody cannot do something, by the reason that the API gives. @type {Readonly<Record<string, Text>>} */
export const REASONS = {
  scope: ['The session does not include this.', 'Die Sitzung umfasst das nicht.'],
  expired: ['The subscription has expired.', 'Das Abonnement ist abgelaufen.'],
  locked: [
    'The recording is older than what the plan includes.',
    'Die Aufnahme ist älter, als der Tarif umfasst.',
  ],
  plan: ['The plan does not include this.', 'Der Tarif umfasst das nicht.'],
  organization_flag: ['Turned off in this organization.', 'In dieser Organisation ausgeschaltet.'],
  member_flag: ['Turned off for you in this organization.', 'In dieser Organisation für Sie ausgeschaltet.'],
  role: ['Your role does not include this.', 'Ihre Rolle umfasst das nicht.'],
  not_configured: ['Not set up in this installation.', 'In dieser Installation nicht eingerichtet.'],
  no_media: ['There is no audio or video.', 'Es gibt weder Audio noch Video.'],
  not_ready: ['Recording or transcript not ready yet.', 'Aufnahme oder Transkript noch nicht fertig.'],
};
