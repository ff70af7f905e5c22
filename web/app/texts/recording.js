// Texts of the view of one recording.

/** @import { Text } from '../text.js' */

export const VIEW = /** @type {const} @satisfies {Record<string, Text>} */ ({
  unavailable: ['Recording not available', 'Aufnahme nicht verfügbar'],
  onThisPage: ['On this page', 'Auf dieser Seite'],
  topics: ['Chapters', 'Kapitel'],
  summary: ['Summary', 'Zusammenfassung'],
  questions: ['Questions', 'Fragen'],
  transcript: ['Transcript', 'Transkript'],
  details: ['Details', 'Details'],
  share: ['Share', 'Teilen'],
  transcribe: ['Transcribe', 'Transkribieren'],
  transcribeAgain: ['Transcribe again', 'Erneut transkribieren'],
  transcribeAgainText: ['Corrections stay in the history.', 'Korrekturen bleiben im Verlauf erhalten.'],
  history: ['Transcript history', 'Verlauf des Transkripts'],
  notes: ['Notes', 'Notizen'],
  editNotes: ['Edit notes', 'Notizen bearbeiten'],
  theirs: ['As it is now:', 'Der jetzige Stand:'],
  keys: ['Keyboard shortcuts', 'Tastaturkürzel'],
  enableKeys: ['Enable keyboard shortcuts', 'Tastaturkürzel verwenden'],
  converting: ['Being converted', 'Wird umgewandelt'],
  uploading: ['New media is being uploaded', 'Neue Medien werden hochgeladen'],
  processing: ['New media is being processed', 'Neue Medien werden verarbeitet'],
  mediaFailed: ['The new media could not be processed.', 'Die neuen Medien sind nicht lesbar.'],
  transcribing: ['Transcribing', 'Wird transkribiert'],
  summarizing: ['The summary is being written.', 'Die Zusammenfassung wird geschrieben.'],
});

/** What a recording is, by its status. @type {Readonly<Record<string, Text>>} */
export const STATUSES = {
  STARTING: ['Waiting to start', 'Wartet auf den Beginn'],
  CONNECTING: ['Joining the meeting', 'Tritt der Besprechung bei'],
  WAIT_APPROVAL: ['Waiting for approval in the meeting', 'Wartet auf Zustimmung in der Besprechung'],
  RECORDING: ['Recording in progress', 'Aufnahme läuft'],
  UPLOADING: ['Uploading', 'Wird hochgeladen'],
  PROCESSING: ['Processing', 'Wird verarbeitet'],
  TRANSCODING: ['Processing', 'Wird verarbeitet'],
  MIGRATING: ['Ready to watch', 'Abspielbar'],
  COMPLETED: ['Complete', 'Vollständig'],
  ERROR: ['This recording failed', 'Diese Aufnahme ist fehlgeschlagen'],
};

export const STAGE = /** @type {const} @satisfies {Record<string, Text>} */ ({
  player: ['Player', 'Player'],
  video: ['Video player', 'Videoplayer'],
  audio: ['Audio player', 'Audioplayer'],
  captions: ['Captions', 'Untertitel'],
  speed: ['Speed', 'Tempo'],
  voice: ['Voice', 'Stimme'],
  everyone: ['Everyone', 'Alle'],
  copyLink: ['Copy link at', 'Link kopieren bei'],
  link: ['Link to this moment', 'Link zu dieser Stelle'],
  progress: ['Progress', 'Fortschritt'],
  locked: ['Locked', 'Gesperrt'],
  soon: ['You can watch it here soon.', 'Sie können sie bald hier ansehen.'],
  failed: ['Upload it again, or delete it.', 'Laden Sie sie erneut hoch oder löschen Sie sie.'],
  noMedia: ['No audio or video', 'Kein Audio oder Video'],
});

/** What the components say that are shared with share pages. */
export const SHARED = /** @type {const} @satisfies {Record<string, Record<string, Text>>} */ ({
  player: {
    unreachable: ["Can't reach the recording. Try again.", 'Die Aufnahme ist gerade nicht erreichbar.'],
    unplayable: ["This browser can't play it. Try another.", 'Verwenden Sie dafür einen anderen Browser.'],
  },
  navigation: {
    copied: ['Link copied', 'Link kopiert'],
    copyThis: ['Copy this link:', 'Kopieren Sie diesen Link:'],
  },
  search: {
    of: ['of', 'von'],
    loading: ['loading…', 'lädt…'],
    none: ['No matches', 'Keine Treffer'],
    searching: ['Searching…', 'Wird gesucht…'],
  },
  transcript: {
    loading: ['Loading transcript…', 'Transkript wird geladen…'],
    failed: ["Couldn't load the transcript.", 'Das Transkript konnte nicht geladen werden.'],
  },
});

export const TRANSCRIPT = /** @type {const} @satisfies {Record<string, Text>} */ ({
  unknown: ['Unknown speaker', 'Unbekannt'],
  follow: ['Resume auto-scroll', 'Wieder mitlaufen'],
  search: ['Search transcript', 'Transkript durchsuchen'],
  searchHint: ['All words; "quotes" for a phrase', 'Alle Wörter; „Anführungszeichen“ für Wendungen'],
  previous: ['Previous match', 'Voriger Treffer'],
  next: ['Next match', 'Nächster Treffer'],
  live: ['Live', 'Live'],
  soFar: ['What was said so far', 'Was bisher gesagt wurde'],
  listening: ['Words appear here as they are spoken.', 'Hier erscheint, was gesagt wird.'],
  none: ['There is no transcript yet.', 'Es gibt noch kein Transkript.'],
  noSpeech: ['Nobody speaks in this recording.', 'In dieser Aufnahme spricht niemand.'],
  queued: ['It follows once the recording can be played.', 'Es folgt, sobald die Aufnahme abspielbar ist.'],
  failed: ['The transcript could not be made.', 'Das Transkript konnte nicht erstellt werden.'],
  replaced: ['There is a new transcript.', 'Es gibt ein neues Transkript.'],
  show: ['Close the edit and show it', 'Bearbeitung schließen und anzeigen'],
  correct: ['Correct the text at {time}', 'Text bei {time} korrigieren'],
  text: ['Text', 'Text'],
  corrected: ['Text corrected.', 'Text korrigiert.'],
  speaker: ['Name this speaker', 'Sprechende Person benennen'],
  name: ['Name', 'Name'],
  where: ['Where', 'Wo'],
  everywhere: ['In the whole transcript', 'Im ganzen Transkript'],
  passage: ['Only in this passage', 'Nur in dieser Passage'],
  onward: ['From this passage on', 'Ab dieser Passage'],
  named: ['Speaker named {name}.', 'Als {name} benannt.'],
  restored: ['The earlier transcript is back.', 'Das frühere Transkript ist wieder da.'],
});

/** What has made a revision of a transcript. @type {Readonly<Record<string, Text>>} */
export const CAUSES = {
  import: ['Imported', 'Importiert'],
  correction: ['Text corrected', 'Text korrigiert'],
  speakers: ['Speakers named', 'Sprechende benannt'],
  transcription: ['Transcribed', 'Transkribiert'],
  restore: ['Restored', 'Wiederhergestellt'],
};

/** The shortcuts of the player and the transcript. @type {readonly (readonly [keys: string, text: Text])[]} */
export const KEY_LIST = [
  ['Space K', ['Play or pause', 'Abspielen oder anhalten']],
  ['← →', ['5 seconds back or forward', '5 Sekunden zurück oder vor']],
  ['J L', ['10 seconds back or forward', '10 Sekunden zurück oder vor']],
  ['M', ['Mute or unmute', 'Ton aus oder an']],
  ['F', ['Full screen', 'Vollbild']],
  ['C', ['Captions on or off', 'Untertitel an oder aus']],
  ['/', ['Search transcript', 'Transkript durchsuchen']],
  ['Enter', ['Go to the match, or the next one', 'Zum Treffer oder zum nächsten']],
  ['?', ['Show this list', 'Diese Liste zeigen']],
];

/** What a retention rule removes, and when. @type {Readonly<Record<'media' | 'transcript' | 'original' | 'all', Text>>} */
export const REMOVED = {
  media: ['Media is removed on {date}', 'Medien werden am {date} entfernt'],
  transcript: ['Transcript is removed on {date}', 'Transkript wird am {date} entfernt'],
  original: ['Original is removed on {date}', 'Original wird am {date} entfernt'],
  all: ['Is deleted on {date}', 'Wird am {date} gelöscht'],
};
