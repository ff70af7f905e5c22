import { LIMITS } from '../../../contract/limits.js';
import type { Notices } from '../../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';

/** `{provider}` stands for the label of the provider. */
const en = {
  title: 'You are not signed in',
  back: 'Back to sign-in',
  request: 'Request',
  signedOut: { title: 'Signed out', text: 'You have been signed out of your meeting recordings.' },
  refusals: {
    PROVIDER_UNAVAILABLE:
      '{provider} is unavailable. Please try again in a few minutes. If you are signed in, you stay signed in.',
    PROVIDER_REFUSED: '{provider} did not let you in, or you cancelled. You can try again.',
    INVALID_REPLY:
      'The reply of {provider} cannot be trusted. Please try again. If it happens again, tell the operator of this service.',
    SIGN_IN_EXPIRED: `This sign-in was used already, started in another browser, or more than ${LIMITS.signInMinutes} minutes ago. Please start again.`,
    EMAIL_NOT_VERIFIED:
      '{provider} does not confirm that your email address is yours. Verify it there, and then try again.',
    EMAIL_DOMAIN_REFUSED:
      'Your email address with {provider} is of a domain that is not accepted here. Use another account.',
    NOT_INVITED:
      'Nobody here has your email address with {provider}, and it has no open invitation. Ask someone in your organization to invite you.',
    UNKNOWN_PERSON: 'Nobody here has your account with {provider}. Ask the operator of this service for one.',
    INVALID_LOGOUT: 'The request of {provider} to sign somebody out is not valid.',
  },
};

type Texts = Readonly<typeof en>;

/** Why somebody cannot sign in. */
export type RefusalCode = keyof Texts['refusals'];

const de: Texts = {
  title: 'Sie sind nicht angemeldet',
  back: 'Zurück zur Anmeldung',
  request: 'Anfrage',
  signedOut: { title: 'Abgemeldet', text: 'Sie wurden von Ihren Aufnahmen abgemeldet.' },
  refusals: {
    PROVIDER_UNAVAILABLE:
      '{provider} ist nicht erreichbar. Bitte versuchen Sie es in einigen Minuten noch einmal. Wenn Sie angemeldet sind, bleiben Sie es.',
    PROVIDER_REFUSED:
      '{provider} hat Sie nicht angemeldet, oder Sie haben abgebrochen. Sie können es noch einmal versuchen.',
    INVALID_REPLY:
      'Der Antwort von {provider} ist nicht zu trauen. Bitte versuchen Sie es noch einmal. Geschieht es wieder, sagen Sie es dem Betreiber dieses Dienstes.',
    SIGN_IN_EXPIRED: `Diese Anmeldung wurde schon verwendet, in einem anderen Browser oder vor mehr als ${LIMITS.signInMinutes} Minuten begonnen. Bitte beginnen Sie von vorn.`,
    EMAIL_NOT_VERIFIED:
      '{provider} bestätigt nicht, dass Ihre E-Mail-Adresse Ihnen gehört. Bestätigen Sie sie dort, und versuchen Sie es dann noch einmal.',
    EMAIL_DOMAIN_REFUSED:
      'Ihre E-Mail-Adresse bei {provider} gehört zu einer Domain, die hier nicht zugelassen ist. Verwenden Sie ein anderes Konto.',
    NOT_INVITED:
      'Ihre E-Mail-Adresse bei {provider} ist hier unbekannt und hat keine offene Einladung. Bitten Sie jemanden aus Ihrer Organisation, Sie einzuladen.',
    UNKNOWN_PERSON:
      'Ihr Konto bei {provider} ist hier unbekannt. Bitten Sie den Betreiber dieses Dienstes um Zugang.',
    INVALID_LOGOUT: 'Die Anfrage von {provider}, jemanden abzumelden, ist ungültig.',
  },
};

export const TEXTS: Readonly<Record<PageLanguage, Texts>> = { en, de };

export const NOTICES: Readonly<Record<PageLanguage, Notices>> = {
  en: {
    byStatus: { 404: { title: 'Page not found', text: 'There is no such way to sign in.' } },
    otherwise: 'Please start again.',
  },
  de: {
    byStatus: { 404: { title: 'Seite nicht gefunden', text: 'Diese Art der Anmeldung gibt es nicht.' } },
    otherwise: 'Bitte beginnen Sie von vorn.',
  },
};
