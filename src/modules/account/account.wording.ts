import { LIMITS } from '../../contract/limits.js';
import type { Notices } from '../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../platform/http/pages/page-language.js';

const OVERLAP_HOURS = LIMITS.apiKeyOverlap.default / 3600;

/** The texts of the account page. `{}` stands for what a text is about. */
const en = {
  title: 'Your account',
  library: 'To your recordings',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  cancel: 'Cancel',
  back: 'Back to your account',
  utc: '{} UTC',
  never: 'never',
  profile: 'Profile',
  name: 'Name',
  save: 'Save',
  address: 'Email address',
  verified: 'verified',
  unverified: 'not verified',
  waysIn: 'Ways to sign in',
  passkeys: 'Passkeys',
  noPasskeys: 'You have no passkey. With one, you sign in on this device without typing anything.',
  addedAt: 'Added {}',
  addPasskey: 'Add a passkey',
  passkeyName: 'Name of the new passkey',
  remove: 'Remove',
  providers: 'You can also sign in with: {}',
  sessions: 'Sessions',
  thisSession: 'this browser',
  end: 'End',
  lastUsed: 'last used {}',
  neverUsed: 'never used',
  from: 'from {}',
  expires: 'expires {}',
  neverExpires: 'never expires',
  on: ' on ',
  unknownBrowser: 'Unknown browser',
  ways: {
    provider: 'Signed in with {}',
    mail: 'Signed in with a link by email',
    passkey: 'Signed in with a passkey',
    link: 'Signed in with a link of the host',
    api_key: 'Signed in with an API key',
  },
  keys: 'API keys',
  noKeys: 'You have no API key. Programs use one to act as you.',
  limited: 'limited to certain organizations, folders or addresses',
  createKey: 'Create an API key',
  keyName: 'Name, such as the program that uses it',
  rights: 'What it may do',
  presets: {
    full: 'Everything that you may',
    'read-only': 'Read only',
    chosen: 'Only what you choose here:',
  },
  expiry: 'Expires',
  days: 'after {} days',
  create: 'Create key',
  rotate: 'Rotate',
  revoke: 'Revoke',
  newKey: 'Your new API key',
  shownOnce: 'Store it now: it is shown only this once. Keep it like a password.',
  oldKey: `The previous key works for another ${OVERLAP_HOURS} hours at most.`,
  copy: 'Copy key',
  copied: 'Copied',
  notCopied: 'Select the key to copy it',
  organizations: 'Organizations',
  noOrganizations: 'You are not a member of an organization.',
  refused: 'Organizations that this session does not reach, as they demand another way to sign in: {}',
  roles: { OWNER: 'Owner', ADMIN: 'Administrator', EDITOR: 'Editor', VIEWER: 'Viewer' },
  leave: 'Leave',
  confirmed: {
    'remove-passkey': {
      title: 'Remove the passkey {}?',
      text: ['Nobody can sign in with it any more. Also delete it on the device that keeps it.'],
      button: 'Remove passkey',
    },
    'rotate-key': {
      title: 'Rotate the key {}?',
      text: [
        `You get a new key that may do the same. The present one works for another ${OVERLAP_HOURS} hours, in which you put the new one in its place.`,
      ],
      button: 'Rotate key',
    },
    'revoke-key': {
      title: 'Revoke the key {}?',
      text: ['Programs that use it are refused at once. This cannot be undone.'],
      button: 'Revoke key',
    },
    leave: {
      title: 'Leave {}?',
      text: [
        'Your recordings there stay with the organization: another member becomes their owner, and you no longer see them.',
        'Your share links and pending invitations there end, and webhooks that you are responsible for are disabled. Your personal recordings stay with you.',
      ],
      button: 'Leave organization',
    },
  },
  mistakes: {
    rename: `Enter a name of ${LIMITS.name.min} to ${LIMITS.name.max} characters.`,
    'create-key': `Enter a name of ${LIMITS.apiKeyName.min} to ${LIMITS.apiKeyName.max} characters, and choose what the key may do.`,
    leave: 'You are its last owner. Make another member owner, or transfer or delete the organization first.',
    gone: 'It is not there any more.',
  },
};

export type AccountWording = typeof en;

const de: AccountWording = {
  title: 'Ihr Konto',
  library: 'Zu Ihren Aufnahmen',
  signOut: 'Abmelden',
  signOutEverywhere: 'Überall abmelden',
  cancel: 'Abbrechen',
  back: 'Zurück zu Ihrem Konto',
  utc: '{} Uhr (UTC)',
  never: 'nie',
  profile: 'Profil',
  name: 'Name',
  save: 'Speichern',
  address: 'E-Mail-Adresse',
  verified: 'bestätigt',
  unverified: 'nicht bestätigt',
  waysIn: 'Anmeldung',
  passkeys: 'Passkeys',
  noPasskeys:
    'Sie haben keinen Passkey. Mit einem melden Sie sich auf diesem Gerät an, ohne etwas einzutippen.',
  addedAt: 'Hinzugefügt am {}',
  addPasskey: 'Passkey hinzufügen',
  passkeyName: 'Name des neuen Passkeys',
  remove: 'Entfernen',
  providers: 'Sie können sich auch hiermit anmelden: {}',
  sessions: 'Sitzungen',
  thisSession: 'dieser Browser',
  end: 'Beenden',
  lastUsed: 'zuletzt verwendet: {}',
  neverUsed: 'noch nie verwendet',
  from: 'von {}',
  expires: 'läuft ab: {}',
  neverExpires: 'läuft nie ab',
  on: ' auf ',
  unknownBrowser: 'Unbekannter Browser',
  ways: {
    provider: 'Angemeldet mit {}',
    mail: 'Angemeldet mit einem Link per E-Mail',
    passkey: 'Angemeldet mit einem Passkey',
    link: 'Angemeldet mit einem Link des Servers',
    api_key: 'Angemeldet mit einem API-Schlüssel',
  },
  keys: 'API-Schlüssel',
  noKeys: 'Sie haben keinen API-Schlüssel. Programme verwenden einen, um in Ihrem Namen zu handeln.',
  limited: 'auf bestimmte Organisationen, Ordner oder Adressen beschränkt',
  createKey: 'API-Schlüssel erstellen',
  keyName: 'Name, etwa des Programms, das ihn verwendet',
  rights: 'Was er darf',
  presets: {
    full: 'Alles, was Sie dürfen',
    'read-only': 'Nur lesen',
    chosen: 'Nur, was Sie hier auswählen:',
  },
  expiry: 'Läuft ab',
  days: 'nach {} Tagen',
  create: 'Schlüssel erstellen',
  rotate: 'Ersetzen',
  revoke: 'Widerrufen',
  newKey: 'Ihr neuer API-Schlüssel',
  shownOnce:
    'Speichern Sie ihn jetzt: Er wird nur dieses eine Mal gezeigt. Behandeln Sie ihn wie ein Passwort.',
  oldKey: `Der bisherige Schlüssel gilt noch höchstens ${OVERLAP_HOURS} Stunden.`,
  copy: 'Schlüssel kopieren',
  copied: 'Kopiert',
  notCopied: 'Zum Kopieren den Schlüssel markieren',
  organizations: 'Organisationen',
  noOrganizations: 'Sie sind in keiner Organisation Mitglied.',
  refused:
    'Organisationen, die eine andere Anmeldung verlangen und in dieser Sitzung nicht erreichbar sind: {}',
  roles: { OWNER: 'Inhaber/in', ADMIN: 'Administrator/in', EDITOR: 'Bearbeiter/in', VIEWER: 'Betrachter/in' },
  leave: 'Verlassen',
  confirmed: {
    'remove-passkey': {
      title: 'Passkey {} entfernen?',
      text: [
        'Niemand kann sich mehr damit anmelden. Löschen Sie ihn auch auf dem Gerät, das ihn aufbewahrt.',
      ],
      button: 'Passkey entfernen',
    },
    'rotate-key': {
      title: 'Schlüssel {} ersetzen?',
      text: [
        `Sie erhalten einen neuen Schlüssel mit denselben Rechten. Der jetzige gilt noch ${OVERLAP_HOURS} Stunden, damit Sie ihn durch den neuen ersetzen können.`,
      ],
      button: 'Schlüssel ersetzen',
    },
    'revoke-key': {
      title: 'Schlüssel {} widerrufen?',
      text: [
        'Programme, die ihn verwenden, werden sofort abgewiesen. Das lässt sich nicht rückgängig machen.',
      ],
      button: 'Schlüssel widerrufen',
    },
    leave: {
      title: '{} verlassen?',
      text: [
        'Ihre Aufnahmen dort bleiben bei der Organisation: Sie gehören dann einem anderen Mitglied, und Sie sehen sie nicht mehr.',
        'Ihre Freigabelinks und offenen Einladungen dort enden, und Webhooks, für die Sie zuständig sind, werden deaktiviert. Ihre persönlichen Aufnahmen behalten Sie.',
      ],
      button: 'Organisation verlassen',
    },
  },
  mistakes: {
    rename: `Geben Sie einen Namen mit ${LIMITS.name.min} bis ${LIMITS.name.max} Zeichen ein.`,
    'create-key': `Geben Sie einen Namen mit ${LIMITS.apiKeyName.min} bis ${LIMITS.apiKeyName.max} Zeichen ein, und wählen Sie, was der Schlüssel darf.`,
    leave:
      'Sie sind dort als Einzige/r Inhaber/in. Übertragen oder löschen Sie die Organisation zuerst, oder machen Sie ein anderes Mitglied dazu.',
    gone: 'Das gibt es nicht mehr.',
  },
};

export const ACCOUNT_WORDING: Readonly<Record<PageLanguage, AccountWording>> = { en, de };

export const ACCOUNT_NOTICES: Readonly<Record<PageLanguage, Notices>> = {
  en: {
    byStatus: {
      403: {
        title: 'This form is no longer valid',
        text: 'It was not sent by a page of your present session. Go back, reload the page and try again.',
      },
      404: { title: 'Not found', text: en.mistakes.gone },
    },
    otherwise: 'Open the page again to start over.',
  },
  de: {
    byStatus: {
      403: {
        title: 'Dieses Formular gilt nicht mehr',
        text: 'Es kam nicht von einer Seite Ihrer jetzigen Sitzung. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
      },
      404: { title: 'Nicht gefunden', text: de.mistakes.gone },
    },
    otherwise: 'Öffnen Sie die Seite erneut, um von vorn zu beginnen.',
  },
};
