import type { Request } from 'express';
import { LIMITS } from '../../../contract/limits.js';

/** Why somebody cannot sign in, and the status of the page that says so. */
export const REFUSALS = {
  PROVIDER_UNAVAILABLE: 503,
  PROVIDER_REFUSED: 403,
  INVALID_REPLY: 403,
  SIGN_IN_EXPIRED: 403,
  EMAIL_NOT_VERIFIED: 403,
  EMAIL_DOMAIN_REFUSED: 403,
  NOT_INVITED: 403,
  UNKNOWN_PERSON: 403,
  INVALID_LOGOUT: 400,
} as const;
export type RefusalCode = keyof typeof REFUSALS;

interface Texts {
  readonly title: string;
  readonly back: string;
  readonly request: string;
  readonly signedOut: { readonly title: string; readonly text: string };
  /** `{provider}` stands for the label of the provider. */
  readonly refusals: Readonly<Record<RefusalCode, string>>;
  /** Of errors by their status. */
  readonly errors: Readonly<Record<404 | 429 | 500 | 503, string>>;
}

export const TEXTS: Readonly<Record<'en' | 'de', Texts>> = {
  en: {
    title: 'You are not signed in',
    back: 'Back to sign-in',
    request: 'Request',
    signedOut: { title: 'Signed out', text: 'You have been signed out of your meeting recordings.' },
    refusals: {
      PROVIDER_UNAVAILABLE:
        '{provider} is unavailable. Please try again in a few minutes. Whoever is signed in stays signed in.',
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
      UNKNOWN_PERSON:
        'Nobody here has your account with {provider}. Ask the operator of this service for one.',
      INVALID_LOGOUT: 'The request of {provider} to sign somebody out is not valid.',
    },
    errors: {
      404: 'There is no such way to sign in.',
      429: 'There were too many requests. Please wait a minute, and then try again.',
      500: 'Something went wrong on our end. Please try again later.',
      503: 'The service is temporarily unavailable. Please try again in a minute.',
    },
  },
  de: {
    title: 'Sie sind nicht angemeldet',
    back: 'Zurück zur Anmeldung',
    request: 'Anfrage',
    signedOut: { title: 'Abgemeldet', text: 'Sie wurden von Ihren Aufzeichnungen abgemeldet.' },
    refusals: {
      PROVIDER_UNAVAILABLE:
        '{provider} ist nicht erreichbar. Bitte versuchen Sie es in einigen Minuten noch einmal. Wer angemeldet ist, bleibt es.',
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
    errors: {
      404: 'Diese Art der Anmeldung gibt es nicht.',
      429: 'Das waren zu viele Anfragen. Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
      500: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später noch einmal.',
      503: 'Der Dienst ist vorübergehend nicht verfügbar. Bitte versuchen Sie es in einer Minute noch einmal.',
    },
  },
};

/** The language of the browser, as far as there are texts in it. */
export const languageOf = (request: Request): keyof typeof TEXTS =>
  request.acceptsLanguages(['en', 'de']) === 'de' ? 'de' : 'en';
