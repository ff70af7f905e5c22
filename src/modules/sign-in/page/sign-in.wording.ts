import { LIMITS } from '../../../contract/limits.js';
import type { Notices } from '../../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';

const MINUTES = LIMITS.signInLinkMinutes;

/** On the host, for anybody. */
const COMMAND = 'mrs users sign-in-link --email EMAIL';

const en = {
  signIn: 'Sign in',
  intro: 'Recordings, transcripts and summaries of your meetings are kept here.',
  withProvider: 'Sign in with {label}',
  withPasskey: 'Sign in with a passkey',
  email: 'Email address',
  sendLink: 'Email me a link',
  noEmail: 'Enter an email address.',
  tooManyEmails:
    'Too many links have been requested for this address. Open the latest one, or try again in an hour.',
  haveKey: 'Sign in with an API key',
  key: 'API key',
  wrongKey: 'This API key is invalid, expired or revoked.',
  limitedKey:
    'This API key can do less than you can: it has scopes or an expiry, is limited to organizations or addresses, or one of your organizations does not accept it. Sign in with one that has no limits, or in another way.',
  operator: 'No API key? The operator of this service can give you a link that signs you in:',
  command: COMMAND,
  sentTitle: 'Check your email',
  sent: `If {email} belongs to somebody here, an email with a link is on its way. The link works once, for ${MINUTES} minutes.`,
  sentNote: 'Nothing there? Look into the spam folder, and check the address.',
  again: 'Start over',
  linkFor: 'You will be signed in as {name} ({email}).',
  linkNote: 'The link works once. If you did not ask for it, close this page.',
};

type Wording = Readonly<typeof en>;

const de: Wording = {
  signIn: 'Anmelden',
  intro: 'Hier liegen die Aufnahmen, Transkripte und Zusammenfassungen Ihrer Besprechungen.',
  withProvider: 'Mit {label} anmelden',
  withPasskey: 'Mit einem Passkey anmelden',
  email: 'E-Mail-Adresse',
  sendLink: 'Link per E-Mail senden',
  noEmail: 'Geben Sie eine E-Mail-Adresse ein.',
  tooManyEmails:
    'Für diese Adresse wurden zu viele Links angefordert. Öffnen Sie den neuesten, oder versuchen Sie es in einer Stunde erneut.',
  haveKey: 'Mit einem API-Schlüssel anmelden',
  key: 'API-Schlüssel',
  wrongKey: 'Dieser API-Schlüssel ist ungültig, abgelaufen oder widerrufen.',
  limitedKey:
    'Dieser API-Schlüssel darf weniger als Sie: Seine Rechte oder seine Gültigkeit sind begrenzt, er gilt nur für bestimmte Organisationen oder Adressen, oder eine Ihrer Organisationen akzeptiert ihn nicht. Melden Sie sich mit einem unbeschränkten Schlüssel oder auf anderem Weg an.',
  operator: 'Kein API-Schlüssel? Wer diesen Dienst betreibt, kann Ihnen einen Link zum Anmelden geben:',
  command: COMMAND,
  sentTitle: 'Sehen Sie in Ihr Postfach',
  sent: `Wenn {email} hier jemandem gehört, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert einmal und ${MINUTES} Minuten lang.`,
  sentNote: 'Nichts angekommen? Sehen Sie im Spam-Ordner nach, und prüfen Sie die Adresse.',
  again: 'Von vorn beginnen',
  linkFor: 'Sie werden als {name} ({email}) angemeldet.',
  linkNote:
    'Der Link funktioniert nur einmal. Wenn Sie ihn nicht angefordert haben, schließen Sie diese Seite.',
};

export const WORDING: Readonly<Record<PageLanguage, Wording>> = { en, de };

export const NOTICES: Readonly<Record<PageLanguage, Notices>> = {
  en: {
    byStatus: {
      403: {
        title: 'Please start over',
        text: 'A form works only on the page on which it was opened, and only while you stay signed in.',
      },
      404: {
        title: "This link isn't available",
        text: `A link to sign in with works once, for ${MINUTES} minutes. Perhaps it was used already, or it has expired, or the address is incomplete.`,
      },
      409: {
        title: 'This link works only on the host',
        text: `Open it in a browser on the computer on which the service runs. For any other, "${COMMAND}" prints a link there.`,
      },
    },
    otherwise: 'Open the page again to start over.',
    link: { path: '/sign-in', label: en.signIn },
  },
  de: {
    byStatus: {
      403: {
        title: 'Bitte beginnen Sie von vorn',
        text: 'Ein Formular funktioniert nur auf der Seite, auf der es geöffnet wurde, und nur, solange Sie angemeldet bleiben.',
      },
      404: {
        title: 'Dieser Link ist nicht verfügbar',
        text: `Ein Link zum Anmelden funktioniert einmal und ${MINUTES} Minuten lang. Vielleicht wurde er schon verwendet oder ist abgelaufen, oder die Adresse ist unvollständig.`,
      },
      409: {
        title: 'Dieser Link funktioniert nur auf dem Host',
        text: `Öffnen Sie ihn in einem Browser auf dem Rechner, auf dem der Dienst läuft. Für andere gibt dort „${COMMAND}“ einen Link aus.`,
      },
    },
    otherwise: 'Öffnen Sie die Seite erneut, um von vorn zu beginnen.',
    link: { path: '/sign-in', label: de.signIn },
  },
};
