import { LIMITS } from '../../../contract/limits.js';

/** What a page says; `{provider}` stands for the label of the provider. */
interface Wording {
  readonly title: string;
  readonly text: string;
}
interface Texts {
  readonly back: string;
  readonly request: string;
  readonly signedOut: Wording;
  readonly refusals: Readonly<Record<RefusalCode, Wording>>;
}

/** Why somebody cannot sign in, with the status of the page. */
export const REFUSALS = {
  PROVIDER_UNAVAILABLE: 503,
  PROVIDER_REFUSED: 403,
  INVALID_REPLY: 403,
  SIGN_IN_EXPIRED: 403,
  EMAIL_NOT_VERIFIED: 403,
  EMAIL_DOMAIN_REFUSED: 403,
  NOT_INVITED: 403,
  UNKNOWN_PERSON: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
} as const;
export type RefusalCode = keyof typeof REFUSALS;

const EN: Texts = {
  back: 'Back to sign-in',
  request: 'Request',
  signedOut: { title: 'Signed out', text: 'You have been signed out of the meeting recordings.' },
  refusals: {
    PROVIDER_UNAVAILABLE: {
      title: '{provider} is unavailable',
      text: 'It cannot sign you in at the moment. Please try again in a few minutes. Whoever is signed in stays signed in.',
    },
    PROVIDER_REFUSED: {
      title: 'Sign-in was cancelled',
      text: '{provider} did not let you in, or you cancelled. You can try again.',
    },
    INVALID_REPLY: {
      title: 'This sign-in cannot be trusted',
      text: 'The reply of {provider} is not valid for this service. Please try again. If it happens again, tell the operator of this service.',
    },
    SIGN_IN_EXPIRED: {
      title: 'This sign-in has expired',
      text: `It was started in another browser, used already, or more than ${LIMITS.signInMinutes} minutes ago. Please start again.`,
    },
    EMAIL_NOT_VERIFIED: {
      title: 'Your email address is not verified',
      text: '{provider} does not confirm that your email address is yours. Verify it there, and then try again.',
    },
    EMAIL_DOMAIN_REFUSED: {
      title: 'Your email address is not accepted',
      text: 'With {provider}, only addresses of certain domains can sign in here, and yours is of another one. Use another account.',
    },
    NOT_INVITED: {
      title: 'You have no invitation',
      text: 'Nobody here has your address with {provider}, and there is no open invitation to it. Ask someone in your organization to invite you.',
    },
    UNKNOWN_PERSON: {
      title: 'You have no account here',
      text: 'Nobody here has your address with {provider}. Ask the operator of this service for an account.',
    },
    NOT_FOUND: { title: 'Page not found', text: 'The address is wrong or incomplete.' },
    RATE_LIMITED: { title: 'Too many requests', text: 'Please wait a minute, and then try again.' },
    SERVICE_UNAVAILABLE: { title: 'Temporarily unavailable', text: 'Please try again in a minute.' },
    INTERNAL_ERROR: {
      title: 'Something went wrong',
      text: 'The problem is on our end. Please try again later.',
    },
  },
};

const DE: Texts = {
  back: 'Zurück zur Anmeldung',
  request: 'Anfrage',
  signedOut: { title: 'Abgemeldet', text: 'Sie wurden von den Aufzeichnungen abgemeldet.' },
  refusals: {
    PROVIDER_UNAVAILABLE: {
      title: '{provider} ist nicht erreichbar',
      text: 'Die Anmeldung ist dort gerade nicht möglich. Bitte versuchen Sie es in einigen Minuten noch einmal. Wer angemeldet ist, bleibt es.',
    },
    PROVIDER_REFUSED: {
      title: 'Die Anmeldung wurde abgebrochen',
      text: '{provider} hat Sie nicht angemeldet, oder Sie haben abgebrochen. Sie können es noch einmal versuchen.',
    },
    INVALID_REPLY: {
      title: 'Dieser Anmeldung ist nicht zu trauen',
      text: 'Die Antwort von {provider} ist für diesen Dienst nicht gültig. Bitte versuchen Sie es noch einmal. Geschieht es wieder, sagen Sie es dem Betreiber dieses Dienstes.',
    },
    SIGN_IN_EXPIRED: {
      title: 'Diese Anmeldung ist abgelaufen',
      text: `Sie wurde in einem anderen Browser begonnen, schon verwendet, oder vor mehr als ${LIMITS.signInMinutes} Minuten begonnen. Bitte beginnen Sie von vorn.`,
    },
    EMAIL_NOT_VERIFIED: {
      title: 'Ihre E-Mail-Adresse ist nicht bestätigt',
      text: '{provider} bestätigt nicht, dass Ihre E-Mail-Adresse Ihnen gehört. Bestätigen Sie sie dort, und versuchen Sie es dann noch einmal.',
    },
    EMAIL_DOMAIN_REFUSED: {
      title: 'Ihre E-Mail-Adresse ist nicht zugelassen',
      text: 'Mit {provider} können sich hier nur Adressen bestimmter Domains anmelden, und Ihre gehört zu keiner davon. Verwenden Sie ein anderes Konto.',
    },
    NOT_INVITED: {
      title: 'Sie haben keine Einladung',
      text: 'Ihre Adresse bei {provider} ist hier unbekannt, und es gibt keine offene Einladung an sie. Bitten Sie jemanden aus Ihrer Organisation, Sie einzuladen.',
    },
    UNKNOWN_PERSON: {
      title: 'Sie haben hier kein Konto',
      text: 'Ihre Adresse bei {provider} ist hier unbekannt. Bitten Sie den Betreiber dieses Dienstes um ein Konto.',
    },
    NOT_FOUND: { title: 'Seite nicht gefunden', text: 'Die Adresse ist falsch oder unvollständig.' },
    RATE_LIMITED: {
      title: 'Zu viele Anfragen',
      text: 'Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
    },
    SERVICE_UNAVAILABLE: {
      title: 'Vorübergehend nicht verfügbar',
      text: 'Bitte versuchen Sie es in einer Minute noch einmal.',
    },
    INTERNAL_ERROR: {
      title: 'Etwas ist schiefgegangen',
      text: 'Das Problem liegt bei uns. Bitte versuchen Sie es später noch einmal.',
    },
  },
};

export const TEXTS = { en: EN, de: DE } as const;

/** The wording with the label of the provider. */
export const withProvider = ({ title, text }: Wording, provider: string): Wording => ({
  title: title.replaceAll('{provider}', () => provider),
  text: text.replaceAll('{provider}', () => provider),
});
