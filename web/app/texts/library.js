// Texts of the list of recordings.

/** @import { Text } from '../text.js' */

export const LIST = /** @type {const} @satisfies {Record<string, Text>} */ ({
  search: ['Search recordings', 'Aufnahmen durchsuchen'],
  noneMatches: ['No recordings match these filters.', 'Keine Aufnahme entspricht diesen Filtern.'],
  count: ['{n} recording | {n} recordings', '{n} Aufnahme | {n} Aufnahmen'],
  empty: ['No recordings yet', 'Noch keine Aufnahmen'],
  emptyText: [
    'Upload a meeting, or record one here.',
    'Laden Sie eine Besprechung hoch oder nehmen Sie eine auf.',
  ],
  changed: ['new or changed', 'neu oder geändert'],
  unknownOwner: ['Deleted user', 'Gelöschtes Konto'],
  select: ['Select {title}', '{title} auswählen'],
  selectAll: ['Select all that are loaded', 'Alle geladenen auswählen'],
  selected: ['{n} selected', '{n} ausgewählt'],
  clear: ['Clear selection', 'Auswahl aufheben'],
  actionsOf: ['Actions for {title}', 'Aktionen für {title}'],
  rename: ['Rename…', 'Umbenennen…'],
  move: ['Move…', 'Verschieben…'],
});

/** What is said of a recording that is not finished. @type {Readonly<Record<string, Text>>} */
export const STATES = {
  STARTING: ['Starting', 'Startet'],
  CONNECTING: ['Connecting', 'Verbindet'],
  WAIT_APPROVAL: ['Waiting to be admitted', 'Wartet auf Einlass'],
  RECORDING: ['Recording', 'Nimmt auf'],
  UPLOADING: ['Uploading, {percent}', 'Wird hochgeladen, {percent}'],
  PROCESSING: ['Processing, {percent}', 'Wird verarbeitet, {percent}'],
  TRANSCODING: ['Processing, {percent}', 'Wird verarbeitet, {percent}'],
  ERROR: ['Failed: open it to see why', 'Fehlgeschlagen: Öffnen zeigt, warum'],
};

/** What the list can be filtered by. @type {Readonly<Record<string, Text>>} */
export const STATUSES = {
  live: ['Being recorded', 'Wird aufgenommen'],
  making: ['Being processed', 'Wird verarbeitet'],
  ready: ['Ready', 'Fertig'],
  failed: ['Failed', 'Fehlgeschlagen'],
};

export const FOUND = /** @type {const} @satisfies {Record<string, Text>} */ ({
  count: ['{n} recording found | {n} recordings found', '{n} Aufnahme gefunden | {n} Aufnahmen gefunden'],
  nothing: ['Nothing found. Try other words.', 'Nichts gefunden. Versuchen Sie andere Wörter.'],
  didYouMean: ['Nothing has these words. Results for', 'Nichts enthält diese Wörter. Ergebnisse für'],
  notes: ['Notes', 'Notizen'],
});

export const DOING = /** @type {const} @satisfies {Record<string, Text>} */ ({
  renameTitle: ['Rename recording', 'Aufnahme umbenennen'],
  title: ['Title', 'Titel'],
  moveTitle: ['Move recording | Move {n} recordings', 'Aufnahme verschieben | {n} Aufnahmen verschieben'],
  move: ['Move', 'Verschieben'],
  staysVisible: ['Folder and roles decide who can see it.', 'Ordner und Rollen bestimmen, wer sie sieht.'],
  restricted: [
    'Only owners, administrators and the members named for this folder see what is in it.',
    'Den Inhalt dieses Ordners sehen nur die Verwaltung und die dafür benannten Mitglieder.',
  ],
  leaves: [
    'Members of its present organization no longer see it, and its share links stop working.',
    'Mitglieder der bisherigen Organisation sehen sie nicht mehr, und Freigabelinks funktionieren nicht mehr.',
  ],
  joins: [
    'Members of the organization can then see it, and its share links stop working.',
    'Mitglieder der Organisation können sie dann sehen, und Freigabelinks funktionieren nicht mehr.',
  ],
  moved: ['Moved | {n} recordings moved', 'Verschoben | {n} Aufnahmen verschoben'],
  deleted: ['Deleted: {title} | {n} recordings deleted', 'Gelöscht: {title} | {n} Aufnahmen gelöscht'],
  notDone: ['Not changed: {title}. {why}', 'Nicht geändert: {title}. {why}'],
  notDoneMany: ['{n} recordings were not changed', '{n} Aufnahmen wurden nicht geändert'],
  andMore: ['and {n} more', 'und {n} weitere'],
});

/** Deleted recordings that can still be restored. */
export const BIN = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: [
    'They can be restored, with everything, until the day given.',
    'Sie lassen sich bis zum angegebenen Tag mit allem wiederherstellen.',
  ],
  empty: [
    'There are no deleted recordings to restore.',
    'Es gibt keine gelöschten Aufnahmen zum Wiederherstellen.',
  ],
  deleted: ['Deleted', 'Gelöscht'],
  until: ['Until', 'Bis'],
  restore: ['Restore', 'Wiederherstellen'],
  restored: ['Restored', 'Wiederhergestellt'],
  purge: ['Delete for good', 'Endgültig löschen'],
  purgeText: [
    'Its media, transcript, summary and share links are removed for good.',
    'Medien, Transkript, Zusammenfassung und Freigabelinks werden endgültig entfernt.',
  ],
  purged: ['Deleted for good', 'Endgültig gelöscht'],
});
