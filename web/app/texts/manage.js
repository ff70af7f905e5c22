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
  'Inhaber/innen verwalten alles, Administrator/innen alles außer ihnen und Einstellungen. Bearbeiter/innen nehmen auf, Betrachter/innen sehen zu.',
]);

/** Feature flags: what each changes, and what is said of members for whom it is not as usual. */
export const FLAGS =
  /** @type {const} @satisfies {Record<string, readonly [label: Text, hint: Text, unusual: Text]>} */ ({
    downloads: [
      ['Downloads', 'Herunterladen'],
      ['Videos can be downloaded.', 'Videos können heruntergeladen werden.'],
      ['no downloads', 'kein Herunterladen'],
    ],
    sharing: [
      ['Share links', 'Freigabelinks'],
      [
        'Recordings can be shared. When off, links stop working.',
        'Teilen per Link; sonst gelten Links nicht.',
      ],
      ['no sharing', 'kein Teilen'],
    ],
    transcription: [
      ['Transcripts', 'Transkripte'],
      ['Recordings have searchable transcripts.', 'Aufnahmen haben durchsuchbare Transkripte.'],
      ['no transcripts', 'keine Transkripte'],
    ],
    summaries: [
      ['Summaries', 'Zusammenfassungen'],
      ['With decisions and action items.', 'Mit Beschlüssen und Aufgaben.'],
      ['no summaries', 'keine Zusammenfassungen'],
    ],
    questions: [
      ['Questions', 'Fragen'],
      ['Questions about recordings are answered.', 'Fragen zu Aufnahmen werden beantwortet.'],
      ['no questions', 'keine Fragen'],
    ],
    view_all_recordings: [
      ['Sees all recordings', 'Sieht alle Aufnahmen'],
      ['Also in restricted folders, as owners do.', 'Auch in eingeschränkten Ordnern, wie Inhaber/innen.'],
      ['sees all recordings', 'sieht alle Aufnahmen'],
    ],
    view_folder_recordings: [
      ['Sees recordings in folders', 'Sieht Aufnahmen in Ordnern'],
      ['In those open to the member.', 'In denen, die für das Mitglied offen sind.'],
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
  notHere: ['As {role}, you have no access to this section.', 'Als {role} haben Sie hier keinen Zugang.'],
  notMember: ['You are not a member of this organization.', 'Sie sind kein Mitglied dieser Organisation.'],
  newOrganization: ['New organization', 'Neue Organisation'],
  noOrganizations: ['You belong to no organization yet.', 'Sie gehören noch zu keiner Organisation.'],
  offered: ['{name} is offered to you until {time}.', '{name} wird Ihnen bis {time} angeboten.'],
  accept: ['Accept', 'Annehmen'],
  decline: ['Decline', 'Ablehnen'],
  accepted: ['You are the owner now', 'Sie sind jetzt Inhaber/in'],
  declined: ['Declined', 'Abgelehnt'],
  yourQuotas: ['Your storage', 'Ihr Speicher'],
  yourWebhooks: ['Your webhooks', 'Ihre Webhooks'],
});

export const QUOTAS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  stored_bytes: ['Storage', 'Speicher'],
  recordings: ['Recordings', 'Aufnahmen'],
  uploads_per_day: ['Uploads today', 'Uploads heute'],
  of: ['{used} of {limit}', '{used} von {limit}'],
  unlimited: ['{used}, unlimited', '{used}, unbegrenzt'],
  resets: ['Counted anew from {time}', 'Wird neu gezählt ab {time}'],
  whenFull: [
    'When one is used up, new recordings are refused until others are deleted. Nothing is lost.',
    'Ist eines aufgebraucht, sind neue Aufnahmen erst nach dem Löschen anderer möglich. Nichts geht verloren.',
  ],
  full: ['used up', 'aufgebraucht'],
});

export const MEMBERS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  you: ['(you)', '(Sie)'],
  access: ['Access', 'Zugriff'],
  everything: ['all features', 'alle Funktionen'],
  joined: ['Joined', 'Beigetreten'],
  changeRole: ['Change role', 'Rolle ändern'],
  ownRole: ['Only somebody else can raise it again.', 'Nur jemand anderes kann sie wieder heraufstufen.'],
  flags: ['Change access', 'Zugriff ändern'],
  remove: ['Remove', 'Entfernen'],
  removeText: [
    'Access and share links end at once. Recordings stay with the organization.',
    'Zugriff und Freigabelinks enden sofort. Aufnahmen bleiben in der Organisation.',
  ],
  leave: ['Leave', 'Verlassen'],
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
  none: ['none: send the link', 'keine: Link senden'],
  queued: ['about to be sent', 'wird gesendet'],
  sent: ['sent', 'gesendet'],
  failed: ['failed: {error}', 'fehlgeschlagen: {error}'],
  resend: ['Send again', 'Erneut senden'],
  withdraw: ['Withdraw', 'Zurückziehen'],
  withdrawn: ['Invitation withdrawn', 'Einladung zurückgezogen'],
  invited: ['{email} is invited', '{email} ist eingeladen'],
  linkText: [
    'Send this link to the person: whoever has it can join. It is shown only this once.',
    'Senden Sie der Person diesen Link: Wer ihn hat, kann beitreten. Er wird nur einmal angezeigt.',
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
  deleteText: ['Its recordings are kept, in no folder.', 'Seine Aufnahmen bleiben, in keinem Ordner.'],
});
