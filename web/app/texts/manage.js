// Texts of the views that manage organizations; those of webhooks and audit logs are in changes.js.

/** @import { Text } from '../text.js' */

export const ROLE_NAMES = /** @type {const} @satisfies {Record<string, Text>} */ ({
  OWNER: ['Owner', 'Inhaber/in'],
  ADMIN: ['Administrator', 'Administrator/in'],
  EDITOR: ['Editor', 'Bearbeiter/in'],
  VIEWER: ['Viewer', 'Betrachter/in'],
});

export const ROLE_HINT = /** @type {const} @satisfies {Text} */ ([
  'Owners manage everything, administrators all but owners and settings. Editors record, viewers watch.',
  'Inhaber/innen verwalten alles, Administrator/innen alles außer Inhaber/innen und Einstellungen. Bearbeiter/innen nehmen auf, Betrachter/innen sehen zu.',
]);

/** Feature flags of organizations, and of their members. */
export const FLAGS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  downloads: ['Downloads', 'Herunterladen'],
  sharing: ['Share links', 'Freigabelinks'],
  transcription: ['Transcripts', 'Transkripte'],
  summaries: ['Summaries', 'Zusammenfassungen'],
  questions: ['Questions', 'Fragen'],
  view_all_recordings: ['All recordings', 'Alle Aufnahmen'],
  view_folder_recordings: ['Recordings in folders', 'Aufnahmen in Ordnern'],
});

/** What each changes. */
export const FLAG_HINTS = /** @type {const} @satisfies {Record<keyof typeof FLAGS, Text>} */ ({
  downloads: ['Videos can be downloaded.', 'Videos können heruntergeladen werden.'],
  sharing: ['Sharing by link. When off, links stop working.', 'Teilen per Link. Sonst gelten Links nicht.'],
  transcription: ['Recordings have searchable transcripts.', 'Aufnahmen haben durchsuchbare Transkripte.'],
  summaries: ['With decisions and action items.', 'Mit Beschlüssen und Aufgaben.'],
  questions: ['Questions about recordings are answered.', 'Fragen zu Aufnahmen werden beantwortet.'],
  view_all_recordings: ['Also those in restricted folders.', 'Auch die in eingeschränkten Ordnern.'],
  view_folder_recordings: ['In those open to the member.', 'In denen, die für das Mitglied offen sind.'],
});

export const SECTIONS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  members: ['Members', 'Mitglieder'],
  invitations: ['Invitations', 'Einladungen'],
  folders: ['Folders', 'Ordner'],
  settings: ['Settings', 'Einstellungen'],
  glossary: ['Glossary', 'Glossar'],
  'service-accounts': ['Service accounts', 'Dienstkonten'],
  webhooks: ['Webhooks', 'Webhooks'],
  audit: ['Audit log', 'Prüfprotokoll'],
  quotas: ['Storage and quotas', 'Speicher und Kontingente'],
});

export const LIST = /** @type {const} @satisfies {Record<string, Text>} */ ({
  actionsFor: ['Actions for {name}', 'Aktionen für {name}'],
  search: ['Search by name', 'Nach Namen suchen'],
  shown: ['1 entry | {n} entries', '1 Eintrag | {n} Einträge'],
  name: ['Name', 'Name'],
  email: ['Email', 'E-Mail'],
  role: ['Role', 'Rolle'],
  status: ['Status', 'Status'],
  created: ['Created', 'Erstellt'],
  expires: ['Expires', 'Läuft ab'],
  never: ['Never', 'Nie'],
  edit: ['Edit', 'Bearbeiten'],
  enable: ['Enable', 'Aktivieren'],
  disable: ['Disable', 'Deaktivieren'],
  active: ['active', 'aktiv'],
  inactive: ['inactive', 'inaktiv'],
  once: ['Copy it now: it is shown only this once.', 'Kopieren Sie jetzt: Dies wird nur einmal angezeigt.'],
  done: ['Done', 'Fertig'],
  saved: ['Saved', 'Gespeichert'],
  deleted: ['Deleted', 'Gelöscht'],
});

export const MANAGE = /** @type {const} @satisfies {Record<string, Text>} */ ({
  sections: ['Sections of the organization', 'Bereiche der Organisation'],
  notHere: ['As {role}, you have no access to this section.', 'Als {role} haben Sie hier keinen Zugang.'],
  newOrganization: ['New organization', 'Neue Organisation'],
  offered: ['Become owner of {name}? Until {time}.', 'Inhaber/in von {name} werden? Bis {time}.'],
  accept: ['Accept', 'Annehmen'],
  decline: ['Decline', 'Ablehnen'],
  accepted: ['You are the owner now', 'Sie sind jetzt Inhaber/in'],
  declined: ['Declined', 'Abgelehnt'],
  yourQuotas: ['Your storage', 'Ihr Speicher'],
});

export const QUOTAS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  stored_bytes: ['Storage', 'Speicher'],
  recordings: ['Recordings', 'Aufnahmen'],
  uploads_per_day: ['Uploads today', 'Uploads heute'],
  of: ['{used} of {limit}', '{used} von {limit}'],
  unlimited: ['{used}, unlimited', '{used}, unbegrenzt'],
  resets: ['Counted anew from {time}', 'Wird neu gezählt ab {time}'],
  whenFull: ['When one is used up, delete recordings to make room.', 'Aufgebraucht? Löschen schafft Platz.'],
  full: ['used up', 'aufgebraucht'],
});

export const MEMBERS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  you: ['(you)', '(Sie)'],
  access: ['Access', 'Zugriff'],
  everything: ['all features', 'alle Funktionen'],
  with: ['with {name}', 'mit {name}'],
  without: ['without {name}', 'ohne {name}'],
  joined: ['Joined', 'Beigetreten'],
  changeRole: ['Change role', 'Rolle ändern'],
  ownRole: ['Only somebody else can raise it again.', 'Nur jemand anderes kann sie wieder heraufstufen.'],
  flags: ['Change access', 'Zugriff ändern'],
  remove: ['Remove', 'Entfernen'],
  removeText: ['Access ends now; recordings stay here.', 'Der Zugriff endet; Aufnahmen bleiben hier.'],
  leave: ['Leave', 'Verlassen'],
  newOwner: ['Recordings pass to', 'Aufnahmen gehen über an'],
  me: ['You', 'Sie'],
  anOwner: ['An owner', 'Inhaber/in'],
  takeOver: ['Take over webhooks instead of disabling them', 'Webhooks übernehmen statt deaktivieren'],
  removed: ['{name} has been removed.', '{name} wurde entfernt.'],
  left: ['You have left the organization.', 'Sie haben die Organisation verlassen.'],
  links: ['Share links ended: {n}.', 'Beendete Freigabelinks: {n}.'],
  invites: ['Invitations ended: {n}.', 'Beendete Einladungen: {n}.'],
  hooks: ['Webhooks disabled: {n}.', 'Deaktivierte Webhooks: {n}.'],
});

export const INVITATIONS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  invite: ['Invite', 'Einladen'],
  empty: ['Nobody is invited at the moment.', 'Derzeit ist niemand eingeladen.'],
  none: ['none: send the link', 'keine: Link senden'],
  queued: ['about to be sent', 'wird gesendet'],
  sent: ['sent', 'gesendet'],
  failed: ['failed: {error}', 'fehlgeschlagen: {error}'],
  resend: ['Send again', 'Erneut senden'],
  withdraw: ['Withdraw', 'Zurückziehen'],
  withdrawn: ['Invitation withdrawn', 'Einladung zurückgezogen'],
  invited: ['{email} is invited', '{email} ist eingeladen'],
  linkText: [
    'Shown only once. Anyone who has it can join.',
    'Nur jetzt zu sehen. Wer ihn hat, kann beitreten.',
  ],
});

export const FOLDERS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  create: ['New folder', 'Neuer Ordner'],
  openTo: ['Open to', 'Offen für'],
  all: ['all members', 'alle Mitglieder'],
  some: ['1 member | {n} members', '1 Mitglied | {n} Mitglieder'],
  certain: ['certain members', 'bestimmte Mitglieder'],
  restrict: ['Only for certain members', 'Nur für bestimmte Mitglieder'],
  restrictHint: ['And those who see all recordings.', 'Und für alle, die sämtliche Aufnahmen sehen.'],
  members: ['Members with access', 'Mitglieder mit Zugang'],
  deleteText: ['Its recordings are kept, in no folder.', 'Seine Aufnahmen bleiben, in keinem Ordner.'],
});
