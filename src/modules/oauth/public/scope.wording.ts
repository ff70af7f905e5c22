import type { ClientScope } from '../../../contract/scopes.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';

/** What a client may do with each scope, after "It may" and the like. */
export const SCOPE_WORDING: Readonly<Record<PageLanguage, Readonly<Record<ClientScope, string>>>> = {
  en: {
    'recordings:read': 'see recordings, their media and summaries',
    'recordings:write': 'create, change and move recordings',
    'recordings:delete': 'delete recordings',
    'transcripts:read': 'read and search transcripts',
    'transcripts:write': 'correct, import and create transcripts',
    'summaries:write': 'create and change summaries and action items',
    questions: 'ask questions about recordings',
    exports: 'export all of this as files',
    'shares:read': 'see share links',
    'shares:write': 'create and change share links, with which anyone can see a recording',
    'organizations:read': 'see organizations, members and folders',
    'organizations:manage': 'manage organizations, members and folders',
    'profile:read': 'see your name and address',
    'webhooks:manage': 'have events sent elsewhere',
    'events:read': 'learn at once what changes',
    'audit:read': 'read audit logs',
  },
  de: {
    'recordings:read': 'Aufnahmen, ihre Medien und Zusammenfassungen sehen',
    'recordings:write': 'Aufnahmen anlegen, ändern und verschieben',
    'recordings:delete': 'Aufnahmen löschen',
    'transcripts:read': 'Transkripte lesen und durchsuchen',
    'transcripts:write': 'Transkripte korrigieren, importieren und erstellen',
    'summaries:write': 'Zusammenfassungen und Aufgaben erstellen und ändern',
    questions: 'Fragen zu Aufnahmen stellen',
    exports: 'all das als Dateien exportieren',
    'shares:read': 'Freigabelinks sehen',
    'shares:write': 'Freigabelinks anlegen und ändern, mit denen jeder eine Aufnahme sehen kann',
    'organizations:read': 'Organisationen, Mitglieder und Ordner sehen',
    'organizations:manage': 'Organisationen, Mitglieder und Ordner verwalten',
    'profile:read': 'Ihren Namen und Ihre Adresse sehen',
    'webhooks:manage': 'Ereignisse anderswohin senden lassen',
    'events:read': 'sofort erfahren, was sich ändert',
    'audit:read': 'Audit-Protokolle lesen',
  },
};
