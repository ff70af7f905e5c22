// Texts of uploading and recording.

/** @import { Text } from '../text.js' */

export const UPLOADS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  title: ['Uploads', 'Uploads'],
  unfinished: ['{n} upload in progress | {n} uploads in progress', '{n} Upload läuft | {n} Uploads laufen'],
  finished: ['Uploads finished', 'Uploads abgeschlossen'],
  attention: [
    '{n} upload needs attention | {n} uploads need attention',
    '{n} Upload wartet auf Sie | {n} Uploads warten auf Sie',
  ],
  clear: ['Clear finished uploads', 'Abgeschlossene entfernen'],
  choose: ['Choose recordings to upload', 'Aufnahmen zum Hochladen auswählen'],
  drop: ['Drop recordings to upload them', 'Aufnahmen hier ablegen, um sie hochzuladen'],
  dropTo: ['They go to: {name}', 'Ziel: {name}'],
  untitled: ['Untitled recording', 'Aufnahme ohne Titel'],
  progress: ['Progress of {title}', 'Fortschritt von {title}'],
  sent: ['{sent} of {size} · {percent} %', '{sent} von {size} · {percent} %'],
  waiting: ['Waiting', 'Wartet'],
  paused: ['Paused · {sent}', 'Angehalten · {sent}'],
  done: ['Uploaded · {size}', 'Hochgeladen · {size}'],
  finishing: ['Sending the rest · {sent} of {size}', 'Der Rest wird gesendet · {sent} von {size}'],
  missing: [
    'Choose the file again to continue: the browser could not keep it.',
    'Wählen Sie die Datei erneut aus, um fortzufahren: Der Browser konnte sie nicht behalten.',
  ],
  notSame: [
    'This is another file. Choose “{title}”, unchanged.',
    'Das ist eine andere Datei. Wählen Sie „{title}“, unverändert.',
  ],
  chooseAgain: ['Choose file', 'Datei auswählen'],
  open: ['Open', 'Öffnen'],
  pause: ['Pause', 'Anhalten'],
  resume: ['Continue', 'Fortsetzen'],
  saveHere: ['Save on this device', 'Auf diesem Gerät sichern'],
  remove: ['Remove from the list', 'Aus der Liste entfernen'],
  cancelAsk: ['Cancel this upload?', 'Diesen Upload abbrechen?'],
  cancelText: [
    '“{title}” is removed from the service. The file on your device stays.',
    '„{title}“ wird aus dem Dienst entfernt. Die Datei auf Ihrem Gerät bleibt.',
  ],
  cancelLive: [
    '“{title}” is removed from the service and from this browser. There is no other copy.',
    '„{title}“ wird aus dem Dienst und aus diesem Browser entfernt. Es gibt keine weitere Kopie.',
  ],
  cancelDo: ['Cancel upload', 'Upload abbrechen'],
  noConnection: ['No connection. Continues by itself.', 'Keine Verbindung. Geht von selbst weiter.'],
  noSession: ['Continues once you have signed in again.', 'Geht weiter, sobald Sie wieder angemeldet sind.'],
  busy: [
    'The service is still processing a part of it. Continues by itself.',
    'Der Dienst verarbeitet noch einen Teil davon. Geht von selbst weiter.',
  ],
  begunAloud: [
    'Uploading {title} | Uploading {n} files',
    '{title} wird hochgeladen | {n} Dateien werden hochgeladen',
  ],
  doneAloud: ['{title} has been uploaded.', '{title} ist hochgeladen.'],
  failedAloud: ['{title} could not be uploaded.', '{title} konnte nicht hochgeladen werden.'],
  interrupted: [
    'Recording “{title}” was interrupted. What was recorded is being sent.',
    'Die Aufnahme „{title}“ wurde unterbrochen. Was aufgenommen wurde, wird gesendet.',
  ],
  notMedia: [
    'Not audio or video, and not uploaded: {names}. Transcripts are imported on the page of a recording.',
    'Weder Audio noch Video, nicht hochgeladen: {names}. Transkripte importieren Sie auf der Seite einer Aufnahme.',
  ],
  folder: [
    'Folders cannot be uploaded. Drop the files in them instead: {names}.',
    'Ordner lassen sich nicht hochladen. Ziehen Sie die Dateien darin hierher: {names}.',
  ],
  empty: ['Empty, and not uploaded: {names}.', 'Leer, nicht hochgeladen: {names}.'],
});

/** What errors mean for uploads, where that is more than elsewhere. @type {Readonly<Record<string, Text>>} */
export const PROBLEMS = {
  QUOTA_EXCEEDED: [
    'The quota is used up. Delete recordings or ask an owner for more, then try again: it continues where it was.',
    'Das Kontingent ist aufgebraucht. Löschen Sie Aufnahmen oder bitten Sie um mehr, und versuchen Sie es dann erneut: Es geht weiter, wo es war.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'This file is neither audio nor video that can be read. Convert it, for example to MP4, and upload that.',
    'Diese Datei ist kein lesbares Audio oder Video. Wandeln Sie sie zum Beispiel in MP4 um, und laden Sie das hoch.',
  ],
  PAYLOAD_TOO_LARGE: [
    'The file is larger than this installation accepts. Split or compress it, or ask its operator.',
    'Die Datei ist größer, als diese Installation annimmt. Teilen oder komprimieren Sie sie, oder fragen Sie den Betreiber.',
  ],
  CONFLICT: [
    'Too many uploads are open, or somebody else is sending this one. Wait for others to finish, then try again.',
    'Zu viele Uploads sind offen, oder jemand anderes sendet diesen. Warten Sie, bis andere fertig sind, und versuchen Sie es dann erneut.',
  ],
  VALIDATION_ERROR: [
    'The folder is closed or the title is not accepted. Upload it elsewhere.',
    'Der Ordner ist geschlossen oder der Titel wird nicht angenommen. Laden Sie es an anderer Stelle hoch.',
  ],
  RECORDING_NOT_FOUND: [
    'The recording was deleted meanwhile. Trying again uploads it anew.',
    'Die Aufnahme wurde inzwischen gelöscht. Ein neuer Versuch lädt sie noch einmal hoch.',
  ],
};

export const RECORD = /** @type {const} @satisfies {Record<string, Text>} */ ({
  title: ['Record', 'Aufnehmen'],
  what: ['What do you want to record?', 'Was möchten Sie aufnehmen?'],
  screen: ['Screen or window', 'Bildschirm oder Fenster'],
  screenHint: ['With its sound, and your microphone', 'Mit dessen Ton und Ihrem Mikrofon'],
  camera: ['Camera and microphone', 'Kamera und Mikrofon'],
  cameraHint: ['You, as in a video call', 'Sie, wie in einem Videoanruf'],
  microphone: ['Microphone only', 'Nur Mikrofon'],
  microphoneHint: ['Speech, without a picture', 'Gesprochenes, ohne Bild'],
  others: [
    'Tell everyone that they are being recorded; in many places you need their consent.',
    'Sagen Sie allen, dass sie aufgenommen werden; vielerorts brauchen Sie deren Einwilligung.',
  ],
  preview: ['Preview', 'Vorschau'],
  chooseCamera: ['Camera', 'Kamera'],
  chooseMicrophone: ['Microphone', 'Mikrofon'],
  noMicrophone: ['No microphone', 'Kein Mikrofon'],
  level: ['Microphone level', 'Pegel des Mikrofons'],
  silent: ['Nothing heard yet. Say something.', 'Noch nichts zu hören. Sagen Sie etwas.'],
  heard: ['The microphone works.', 'Das Mikrofon funktioniert.'],
  noScreenSound: [
    'Without the sound of the screen. To include it, choose another source and turn on its sound there.',
    'Ohne den Ton des Bildschirms. Wählen Sie eine andere Quelle und schalten Sie dort den Ton ein, um ihn aufzunehmen.',
  ],
  noSound: ['Without sound, there will be no transcript.', 'Ohne Ton gibt es kein Transkript.'],
  name: ['Title', 'Titel'],
  nameOf: ['Recording of {time}', 'Aufnahme vom {time}'],
  organization: ['Belongs to', 'Gehört zu'],
  folder: ['Folder', 'Ordner'],
  start: ['Start recording', 'Aufnahme starten'],
  other: ['Choose another source', 'Andere Quelle wählen'],
  recording: ['Recording', 'Aufnahme läuft'],
  isPaused: ['Recording paused', 'Aufnahme angehalten'],
  stopping: ['Stopping…', 'Wird beendet…'],
  stop: ['Stop', 'Beenden'],
  pause: ['Pause', 'Anhalten'],
  resume: ['Continue', 'Fortsetzen'],
  size: ['{size} recorded, {behind} still to be sent', '{size} aufgenommen, {behind} noch zu senden'],
  leaving: [
    'It is sent while it runs. Keep this page open: leaving it stops the recording; what was recorded is kept.',
    'Sie wird gesendet, während sie läuft. Lassen Sie diese Seite offen: Verlassen beendet die Aufnahme; was aufgenommen wurde, bleibt.',
  ],
  leaveAsk: ['Stop recording and leave?', 'Aufnahme beenden und Seite verlassen?'],
  leaveText: ['What was recorded is kept and sent.', 'Was aufgenommen wurde, bleibt und wird gesendet.'],
  leave: ['Stop and leave', 'Beenden und verlassen'],
  diskFull: [
    'This device has no space left. Keep the page open until everything has been sent, or free some space.',
    'Auf diesem Gerät ist kein Platz mehr. Lassen Sie die Seite offen, bis alles gesendet ist, oder schaffen Sie Platz.',
  ],
  refused: [
    'Not being sent: {problem} The recording goes on and is kept in this browser.',
    'Wird nicht gesendet: {problem} Die Aufnahme läuft weiter und bleibt in diesem Browser.',
  ],
  keptHere: [
    'The recording is kept in this browser and sent as soon as there is a connection.',
    'Die Aufnahme bleibt in diesem Browser und wird gesendet, sobald eine Verbindung besteht.',
  ],
  lostMicrophone: [
    'The microphone was disconnected. The recording goes on without it; to use another, stop and start again.',
    'Das Mikrofon wurde getrennt. Die Aufnahme läuft ohne es weiter; beenden und starten Sie neu, um ein anderes zu verwenden.',
  ],
  lostSource: [
    'The source has ended or was disconnected. Everything up to then is kept.',
    'Die Quelle ist beendet oder wurde getrennt. Alles bis dahin bleibt erhalten.',
  ],
});

/** Why nothing can be recorded, by the name of the browser's error, and what to do. @type {Readonly<Record<string, Text>>} */
export const OBSTACLES = {
  NotAllowedError: [
    'The browser was not allowed to record. Allow it in the address bar or in the settings of your system, then choose again.',
    'Der Browser durfte nicht aufnehmen. Erlauben Sie es in der Adresszeile oder in den Einstellungen Ihres Systems, und wählen Sie dann erneut.',
  ],
  NotFoundError: [
    'No camera or microphone was found. Connect one, or choose another source.',
    'Es wurde keine Kamera oder kein Mikrofon gefunden. Schließen Sie eins an, oder wählen Sie eine andere Quelle.',
  ],
  NotReadableError: [
    'The device is in use by another program or not ready. Close that program, then choose again.',
    'Das Gerät wird von einem anderen Programm verwendet oder ist nicht bereit. Schließen Sie das Programm, und wählen Sie dann erneut.',
  ],
  NotSupported: [
    'This browser cannot record this here. Use a current browser on a computer, at an address with https.',
    'Dieser Browser kann das hier nicht aufnehmen. Verwenden Sie einen aktuellen Browser auf einem Computer, unter einer Adresse mit https.',
  ],
};
