// Texts of the list of recordings.

/** @import { Text } from '../text.js' */

export const LIST = /** @type {const} @satisfies {Record<string, Text>} */ ({
  count: ['{n} recording | {n} recordings', '{n} Aufnahme | {n} Aufnahmen'],
  empty: ['No recordings yet', 'Noch keine Aufnahmen'],
  emptyText: [
    'Upload the recording of a meeting, or record one here. Transcript and summary follow by themselves.',
    'Laden Sie die Aufnahme einer Besprechung hoch oder nehmen Sie hier eine auf. Transkript und Zusammenfassung folgen von selbst.',
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

export const FILTERS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  search: ['Search recordings', 'Aufnahmen durchsuchen'],
  title: ['Filters', 'Filter'],
  organization: ['Organization', 'Organisation'],
  everything: ['All recordings', 'Alle Aufnahmen'],
  folder: ['Folder', 'Ordner'],
  allFolders: ['All folders', 'Alle Ordner'],
  status: ['Status', 'Status'],
  anyStatus: ['Any status', 'Jeder Status'],
  live: ['Being recorded', 'Wird aufgenommen'],
  making: ['Being processed', 'Wird verarbeitet'],
  ready: ['Ready', 'Fertig'],
  failed: ['Failed', 'Fehlgeschlagen'],
  from: ['From', 'Von'],
  to: ['To', 'Bis'],
  clear: ['Clear filters', 'Filter aufheben'],
  nothing: ['No recordings match these filters.', 'Keine Aufnahme entspricht diesen Filtern.'],
});

export const FOUND = /** @type {const} @satisfies {Record<string, Text>} */ ({
  count: ['{n} recording found | {n} recordings found', '{n} Aufnahme gefunden | {n} Aufnahmen gefunden'],
  nothing: [
    'Nothing found. Try fewer or other words.',
    'Nichts gefunden. Versuchen Sie es mit weniger oder anderen Wörtern.',
  ],
  didYouMean: ['Nothing has these words. Results for', 'Nichts enthält diese Wörter. Ergebnisse für'],
  notes: ['Notes', 'Notizen'],
  summary: ['Summary', 'Zusammenfassung'],
});

export const DOING = /** @type {const} @satisfies {Record<string, Text>} */ ({
  renameTitle: ['Rename recording', 'Aufnahme umbenennen'],
  title: ['Title', 'Titel'],
  moveTitle: ['Move recording | Move {n} recordings', 'Aufnahme verschieben | {n} Aufnahmen verschieben'],
  move: ['Move', 'Verschieben'],
  to: ['To', 'Nach'],
  staysVisible: [
    'Who can see it then depends on the folder and on the role of each member.',
    'Wer die Aufnahme dann sieht, bestimmen der Ordner und die Rolle jedes Mitglieds.',
  ],
  restricted: [
    'This folder is restricted: besides owners and administrators, only the members named for it see what is in it.',
    'Dieser Ordner ist beschränkt: Außer Personen, die die Organisation verwalten, sehen nur die dafür benannten Mitglieder den Inhalt.',
  ],
  leaves: [
    'Members of the organization that it leaves no longer see it, and its share links stop working. Owners can move everything out, others only what is theirs and if the organization permits it.',
    'Mitglieder der bisherigen Organisation sehen die Aufnahme nicht mehr, und ihre Freigabelinks funktionieren nicht mehr. Wer die Organisation besitzt, kann alles herausnehmen, andere nur Eigenes und nur, wenn die Organisation es erlaubt.',
  ],
  joins: [
    'It is no longer personal: members of the organization can see it, and its share links stop working.',
    'Die Aufnahme ist nicht mehr persönlich: Mitglieder der Organisation können sie sehen, und ihre Freigabelinks funktionieren nicht mehr.',
  ],
  moved: ['Moved | {n} recordings moved', 'Verschoben | {n} Aufnahmen verschoben'],
  deleted: ['Deleted: {title}', 'Gelöscht: {title}'],
  deletedMany: ['{n} recordings deleted', '{n} Aufnahmen gelöscht'],
  notDone: ['Not changed: {title}. {why}', 'Nicht geändert: {title}. {why}'],
  notDoneMany: ['{n} recordings were not changed', '{n} Aufnahmen wurden nicht geändert'],
  andMore: ['and {n} more', 'und {n} weitere'],
});
