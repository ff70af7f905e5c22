// Texts of the views that manage organizations; those of webhooks and audit logs are in changes.js.

/** @import { Text } from '../text.js' */

export const ROLE_NAMES = /** @type {const} @satisfies {Record<string, Text>} */ ({
  OWNER: ['Owner', 'Inhaber/in'],
  ADMIN: ['Administrator', 'Administrator/in'],
  EDITOR: ['Editor', 'Bearbeiter/in'],
  VIEWER: ['Viewer', 'Betrachter/in'],
});

export const ROLE_HINT = /** @type {const} @satisfies {Text} */ ([
  'Owners manage everything, administrators all but owners and settings. Editors record, and change what is theirs. Viewers watch.',
  'Inhaber/innen verwalten alles, Administrator/innen alles außer Inhaber/innen und Einstellungen. Bearbeiter/innen nehmen auf und ändern Eigenes. Betrachter/innen sehen zu.',
]);

/** Feature flags: what each changes, and what is said of those who do not have it. */
export const FLAGS =
  /** @type {const} @satisfies {Record<string, readonly [label: Text, hint: Text, off?: Text]>} */ ({
    downloads: [
      ['Downloads', 'Herunterladen'],
      ['Videos can be downloaded.', 'Videos können heruntergeladen werden.'],
      ['no downloads', 'kein Herunterladen'],
    ],
    sharing: [
      ['Share links', 'Freigabelinks'],
      [
        'Recordings can be shared by link. When off, links stop working.',
        'Aufnahmen können per Link geteilt werden. Sonst gelten Links nicht.',
      ],
      ['no sharing', 'kein Teilen'],
    ],
    transcription: [
      ['Transcripts', 'Transkripte'],
      [
        'Recordings have transcripts, which can be searched.',
        'Aufnahmen haben Transkripte, die durchsucht werden können.',
      ],
      ['no transcripts', 'keine Transkripte'],
    ],
    summaries: [
      ['Summaries', 'Zusammenfassungen'],
      [
        'Recordings have summaries, decisions and action items.',
        'Aufnahmen haben Zusammenfassungen, Beschlüsse und Aufgaben.',
      ],
      ['no summaries', 'keine Zusammenfassungen'],
    ],
    questions: [
      ['Questions', 'Fragen'],
      ['Questions about recordings are answered.', 'Fragen zu Aufnahmen werden beantwortet.'],
      ['no questions', 'keine Fragen'],
    ],
    view_all_recordings: [
      ['Sees all recordings', 'Sieht alle Aufnahmen'],
      [
        'Also those in restricted folders, as owners and administrators do.',
        'Auch in eingeschränkten Ordnern, wie Inhaber/innen.',
      ],
    ],
    view_folder_recordings: [
      ['Sees recordings in folders', 'Sieht Aufnahmen in Ordnern'],
      [
        'In open folders, and restricted ones that name the member.',
        'In offenen Ordnern und in solchen, die das Mitglied nennen.',
      ],
      ['no folders', 'keine Ordner'],
    ],
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
  'audit-stream': ['Audit stream', 'Protokollversand'],
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
  once: ['Copy it now: it is shown only this once.', 'Kopieren Sie jetzt: Dies wird nur einmal angezeigt.'],
  done: ['Done', 'Fertig'],
  saved: ['Saved', 'Gespeichert'],
  deleted: ['Deleted', 'Gelöscht'],
});

export const MANAGE = /** @type {const} @satisfies {Record<string, Text>} */ ({
  sections: ['Sections of the organization', 'Bereiche der Organisation'],
  notHere: [
    'As {role}, you have no access to this section.',
    'Als {role} haben Sie keinen Zugang zu diesem Bereich.',
  ],
  notMember: ['You are not a member of this organization.', 'Sie sind kein Mitglied dieser Organisation.'],
  toOrganizations: ['All organizations', 'Alle Organisationen'],
  newOrganization: ['New organization', 'Neue Organisation'],
  noOrganizations: ['You belong to no organization yet.', 'Sie gehören noch zu keiner Organisation.'],
  members: ['Members', 'Mitglieder'],
  offered: [
    'The ownership of {name} is offered to you until {time}.',
    'Ihnen wird bis {time} die Inhaberschaft von {name} angeboten.',
  ],
  accept: ['Accept', 'Annehmen'],
  decline: ['Decline', 'Ablehnen'],
  accepted: ['You are the owner now', 'Sie sind jetzt Inhaber/in'],
  declined: ['Declined', 'Abgelehnt'],
  yourQuotas: ['Your storage', 'Ihr Speicher'],
  yourWebhooks: ['Your webhooks', 'Ihre Webhooks'],
  yourLog: ['Your activity', 'Ihre Aktivitäten'],
});

export const QUOTAS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  stored_bytes: ['Storage', 'Speicher'],
  recordings: ['Recordings', 'Aufnahmen'],
  uploads_per_day: ['Uploads today', 'Uploads heute'],
  of: ['{used} of {limit}', '{used} von {limit}'],
  unlimited: ['{used}, unlimited', '{used}, unbegrenzt'],
  resets: ['Counted anew from {time}', 'Wird neu gezählt ab {time}'],
  whenFull: [
    'When one is used up, new recordings and uploads are refused; nothing is lost. Deleting recordings makes room.',
    'Ist eines aufgebraucht, werden neue Aufnahmen und Uploads abgelehnt; nichts geht verloren. Löschen schafft Platz.',
  ],
  full: ['used up', 'aufgebraucht'],
});

export const MEMBERS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  you: ['you', 'Sie'],
  access: ['Access', 'Zugriff'],
  everything: ['all features', 'alle Funktionen'],
  joined: ['Joined', 'Beigetreten'],
  changeRole: ['Change role', 'Rolle ändern'],
  ownRole: [
    'Only somebody else can raise your role again.',
    'Nur jemand anderes kann Ihre Rolle wieder heraufstufen.',
  ],
  flags: ['Change access', 'Zugriff ändern'],
  remove: ['Remove', 'Entfernen'],
  removeText: [
    'Access and share links end at once. Recordings stay with the organization.',
    'Zugriff und Freigabelinks enden sofort. Aufnahmen bleiben in der Organisation.',
  ],
  leave: ['Leave', 'Verlassen'],
  leaveText: [
    'Your access and share links end at once. Your recordings here stay with the organization.',
    'Ihr Zugriff und Ihre Freigabelinks enden sofort. Ihre Aufnahmen hier bleiben in der Organisation.',
  ],
  newOwner: ['Recordings pass to', 'Aufnahmen gehen über an'],
  me: ['You', 'Sie'],
  anOwner: ['An owner', 'Inhaber/in'],
  takeOver: ['Take over their webhooks', 'Webhooks übernehmen'],
  takeOverHint: ['Otherwise they are disabled.', 'Sonst werden sie deaktiviert.'],
  removed: ['{name} has been removed.', '{name} wurde entfernt.'],
  left: ['You have left the organization.', 'Sie haben die Organisation verlassen.'],
  links: [
    '1 share link has ended. | {n} share links have ended.',
    '1 Freigabelink endet. | {n} Freigabelinks enden.',
  ],
  invites: [
    '1 invitation has ended. | {n} invitations have ended.',
    '1 Einladung endet. | {n} Einladungen enden.',
  ],
  hooks: [
    '1 webhook is disabled. | {n} webhooks are disabled.',
    '1 Webhook ist deaktiviert. | {n} Webhooks sind deaktiviert.',
  ],
});

export const INVITATIONS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  invite: ['Invite', 'Einladen'],
  empty: ['Nobody is invited at the moment.', 'Derzeit ist niemand eingeladen.'],
  language: ['Language of the email', 'Sprache der E-Mail'],
  folders: ['Access to restricted folders', 'Zugang zu eingeschränkten Ordnern'],
  mail: ['Email', 'E-Mail'],
  none: ['none: send the link', 'keine: Link senden'],
  queued: ['about to be sent', 'wird gesendet'],
  sent: ['sent', 'gesendet'],
  failed: ['failed: {error}', 'fehlgeschlagen: {error}'],
  resend: ['Send again', 'Erneut senden'],
  withdraw: ['Withdraw', 'Zurückziehen'],
  withdrawn: ['Invitation withdrawn', 'Einladung zurückgezogen'],
  invited: ['{email} is invited', '{email} ist eingeladen'],
  linkText: [
    'Send this link to the person: whoever has it can join. It is shown only this once, and replaces earlier ones.',
    'Senden Sie der Person diesen Link: Wer ihn hat, kann beitreten. Er wird nur einmal angezeigt und ersetzt frühere.',
  ],
});

export const FOLDERS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  create: ['New folder', 'Neuer Ordner'],
  empty: ['There are no folders yet.', 'Es gibt noch keine Ordner.'],
  openTo: ['Open to', 'Offen für'],
  all: ['all members', 'alle Mitglieder'],
  some: ['1 member | {n} members', '1 Mitglied | {n} Mitglieder'],
  certain: ['certain members', 'bestimmte Mitglieder'],
  restrict: ['Only for certain members', 'Nur für bestimmte Mitglieder'],
  restrictHint: ['And those who see all recordings.', 'Und für alle, die sämtliche Aufnahmen sehen.'],
  members: ['Members with access', 'Mitglieder mit Zugang'],
  active: ['active', 'aktiv'],
  inactive: ['inactive', 'inaktiv'],
  deleteText: [
    'Its recordings are kept, but are in no folder then.',
    'Seine Aufnahmen bleiben, liegen dann aber in keinem Ordner.',
  ],
});
