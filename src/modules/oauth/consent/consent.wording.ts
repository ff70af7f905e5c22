import type { Scope } from '../../../contract/scopes.js';
import type { Notices } from '../../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';

/** Of those that a client can have. */
type ClientScope = Exclude<
  Scope,
  'profile:write' | 'keys:manage' | 'tokens:create' | 'directory:manage' | 'operator'
>;

const en = {
  title: 'Connect an app',
  heading: '{client} asks to act for you',
  signedInAs: 'You are signed in as {name} ({email}).',
  ofSite: 'The app is published by {site}.',
  unverified: 'The app gave this name itself. Continue only if you have just started this.',
  local:
    'It runs on your device, where other programs can use its name. Continue only if you have just started this.',
  leadsTo: 'Your decision leads to {place}.',
  fromDevice: 'The app runs on a device that showed you a code.',
  may: 'It may',
  where: 'Where',
  everywhere: 'In all my organizations, and my personal recordings',
  chosen: 'Only in these organizations:',
  refused: 'does not accept this app, or how you signed in',
  atMost: 'accepts {} days at most',
  howLong: 'For how long',
  days: '{} days',
  untilRevoked: 'until I disconnect it, or it has not been used for {} days',
  allow: 'Connect',
  deny: 'Refuse',
  later: 'You can disconnect it at any time in your account.',
  mistakes: {
    noScope: 'Choose at least one thing that the app may do.',
    noOrganization: 'Choose at least one organization.',
  },
  scopes: {
    'recordings:read': 'see recordings, their media and summaries',
    'recordings:write': 'create, change and move recordings',
    'recordings:delete': 'delete recordings',
    'transcripts:read': 'read and search transcripts',
    'transcripts:write': 'correct, import and create transcripts',
    'summaries:write': 'create and change summaries and action items',
    questions: 'ask questions about recordings',
    'shares:read': 'see share links',
    'shares:write': 'create and change share links, with which anyone can see a recording',
    'organizations:read': 'see organizations, members and folders',
    'organizations:manage': 'manage organizations, members and folders',
    'profile:read': 'see your name and address',
    'webhooks:manage': 'have events sent elsewhere',
    'events:read': 'learn at once what changes',
    'audit:read': 'read audit logs',
  } satisfies Record<ClientScope, string> as Record<string, string>,
  device: {
    title: 'Connect a device',
    text: 'Enter the code that the app shows. If the code is here already, check that it is the same.',
    code: 'Code',
    wrong: 'This code is wrong, or no longer valid. Ask the app for another one.',
    submit: 'Continue',
  },
  decided: {
    connected: { title: 'Connected', text: 'You can close this page, and go on in the app.' },
    refused: { title: 'Not connected', text: 'You have refused. You can close this page.' },
  },
  refusedRequest: {
    title: 'This app cannot be connected',
    text: 'Its request was not valid. Start again in the app; if that does not help, tell those who publish it:',
  },
};

export type ConsentWording = typeof en;

const de: ConsentWording = {
  title: 'Eine App verbinden',
  heading: '{client} möchte in Ihrem Namen handeln',
  signedInAs: 'Sie sind als {name} ({email}) angemeldet.',
  ofSite: 'Die App wird von {site} veröffentlicht.',
  unverified:
    'Die App hat diesen Namen selbst angegeben. Fahren Sie nur fort, wenn Sie dies gerade begonnen haben.',
  local:
    'Sie läuft auf Ihrem Gerät, wo andere Programme ihren Namen verwenden können. Fahren Sie nur fort, wenn Sie dies gerade begonnen haben.',
  leadsTo: 'Ihre Entscheidung führt zu {place}.',
  fromDevice: 'Die App läuft auf einem Gerät, das Ihnen einen Code gezeigt hat.',
  may: 'Sie darf',
  where: 'Wo',
  everywhere: 'In allen meinen Organisationen und bei meinen persönlichen Aufnahmen',
  chosen: 'Nur in diesen Organisationen:',
  refused: 'akzeptiert diese App oder Ihre Art der Anmeldung nicht',
  atMost: 'akzeptiert höchstens {} Tage',
  howLong: 'Wie lange',
  days: '{} Tage',
  untilRevoked: 'bis ich sie trenne oder sie {} Tage nicht verwendet wurde',
  allow: 'Verbinden',
  deny: 'Ablehnen',
  later: 'Sie können die App jederzeit in Ihrem Konto trennen.',
  mistakes: {
    noScope: 'Wählen Sie mindestens etwas aus, das die App darf.',
    noOrganization: 'Wählen Sie mindestens eine Organisation aus.',
  },
  scopes: {
    'recordings:read': 'Aufnahmen, ihre Medien und Zusammenfassungen sehen',
    'recordings:write': 'Aufnahmen anlegen, ändern und verschieben',
    'recordings:delete': 'Aufnahmen löschen',
    'transcripts:read': 'Transkripte lesen und durchsuchen',
    'transcripts:write': 'Transkripte korrigieren, importieren und erstellen',
    'summaries:write': 'Zusammenfassungen und Aufgaben erstellen und ändern',
    questions: 'Fragen zu Aufnahmen stellen',
    'shares:read': 'Freigabelinks sehen',
    'shares:write': 'Freigabelinks anlegen und ändern, mit denen jeder eine Aufnahme sehen kann',
    'organizations:read': 'Organisationen, Mitglieder und Ordner sehen',
    'organizations:manage': 'Organisationen, Mitglieder und Ordner verwalten',
    'profile:read': 'Ihren Namen und Ihre Adresse sehen',
    'webhooks:manage': 'Ereignisse anderswohin senden lassen',
    'events:read': 'sofort erfahren, was sich ändert',
    'audit:read': 'Audit-Protokolle lesen',
  } satisfies Record<ClientScope, string> as Record<string, string>,
  device: {
    title: 'Ein Gerät verbinden',
    text: 'Geben Sie den Code ein, den die App zeigt. Steht er schon hier, prüfen Sie, dass es derselbe ist.',
    code: 'Code',
    wrong: 'Dieser Code ist falsch oder nicht mehr gültig. Lassen Sie die App einen neuen zeigen.',
    submit: 'Weiter',
  },
  decided: {
    connected: { title: 'Verbunden', text: 'Sie können diese Seite schließen und in der App weitermachen.' },
    refused: { title: 'Nicht verbunden', text: 'Sie haben abgelehnt. Sie können diese Seite schließen.' },
  },
  refusedRequest: {
    title: 'Diese App kann nicht verbunden werden',
    text: 'Ihre Anfrage war ungültig. Beginnen Sie in der App von vorn; hilft das nicht, teilen Sie es denen mit, die sie veröffentlichen:',
  },
};

export const CONSENT_WORDING: Readonly<Record<PageLanguage, ConsentWording>> = { en, de };

/** What errors of these pages say. */
export const CONSENT_NOTICES: Readonly<Record<PageLanguage, Notices>> = {
  en: {
    byStatus: {
      404: {
        title: 'This request is no longer there',
        text: 'It was decided already, took too long, or began in another browser. Start again in the app.',
      },
    },
    otherwise: 'Start again in the app.',
  },
  de: {
    byStatus: {
      404: {
        title: 'Diese Anfrage gibt es nicht mehr',
        text: 'Sie wurde schon entschieden, hat zu lange gedauert oder begann in einem anderen Browser. Beginnen Sie in der App von vorn.',
      },
    },
    otherwise: 'Beginnen Sie in der App von vorn.',
  },
};
