import type { Notices } from '../../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';
import { SCOPE_WORDING } from '../public/scope.wording.js';

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
  scopes: SCOPE_WORDING.en,
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
  scopes: SCOPE_WORDING.de,
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
