import { LIMITS } from '../../../contract/limits.js';
import type { Notices } from '../../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';
import { ROLE_CATALOG, seesWholeOrganization, type Membership } from '../../../policy/roles.js';

const { min, max } = LIMITS.name;

const en = {
  join: 'Join {organization}',
  invited: '{inviter} has invited {email} to join {organization}, which keeps its recorded meetings here.',
  role: 'As {role}, you can {can}.',
  roles: { OWNER: 'an owner', ADMIN: 'an administrator', EDITOR: 'an editor', VIEWER: 'a viewer' },
  seesAll: 'see all of its recordings',
  sees: 'see its recordings: ',
  opened: 'those in folders open to you',
  own: 'only your own',
  ownAnd: 'your own and ',
  adds: 'add recordings',
  changesAny: 'change any of them',
  changesOwn: 'change the ones you own',
  manages: 'manage members and folders',
  becomesUser: 'If you accept, an account is created for you, and you are signed in.',
  yourName: 'Your name',
  accept: 'Accept invitation',
  haveAccount: 'I already have an account',
  joins: 'If you accept, the organization is added to your account.',
  signIn: 'Sign in to accept',
  signedInAs: 'You are signed in as {name} ({email}).',
  signedInAsOther: 'You are signed in as {name} ({email}), but this invitation is for another address.',
  signOut: 'Sign out, and sign in with another account',
  useKey: 'Use an API key instead',
  keyFor: 'API key for {email}',
  acceptWithKey: 'Accept with this key',
  expires: 'This invitation can be used once and expires on',
  noName: `Enter a name of ${min} to ${max} characters.`,
  wrongKey: 'This API key is invalid, expired or revoked.',
  notTheirs: 'This invitation is for another email address, or this API key must not accept invitations.',
  sessionEnded: 'You have been signed out. Sign in again to accept.',
  alreadyExists: 'A user with the address {email} already exists. Sign in, or enter one of their API keys.',
  joined: 'You joined {organization}',
  welcome: 'Welcome to {organization}, {name}',
  isIn: 'You are a member now, and signed in.',
  isMember: 'You are a member now: your API keys give access to its recordings.',
  continue: 'Continue',
  nextTime: 'Signing in next time',
  byProvider: 'with {label}',
  byMail: 'with a link that is emailed to {email}',
  byPasskey: 'with a passkey, which you add in your account',
  byKey: 'with the API key below, if you keep it',
  forApps: 'An API key for apps and scripts',
  keyOnce:
    'It is shown only this once. Apps and scripts use it to act as you, so keep it like a password. You can create others in your account.',
  copyKey: 'Copy key',
  tryIt: 'In a terminal, list the recordings you can see:',
  copyCommand: 'Copy command',
  copied: 'Copied',
  selectIt: 'Select the text to copy it',
  docs: 'API docs',
};

type Wording = Readonly<typeof en>;

const de: Wording = {
  join: '{organization} beitreten',
  invited:
    '{inviter} hat {email} eingeladen, der Organisation {organization} beizutreten, deren Aufnahmen von Besprechungen hier liegen.',
  role: 'Ihre Rolle: {role}. Sie können {can}.',
  roles: {
    OWNER: 'Inhaber/in',
    ADMIN: 'Administrator/in',
    EDITOR: 'Bearbeiter/in',
    VIEWER: 'Betrachter/in',
  },
  seesAll: 'alle Aufnahmen sehen',
  sees: 'Aufnahmen sehen: ',
  opened: 'die in Ordnern, die Ihnen offenstehen',
  own: 'nur Ihre eigenen',
  ownAnd: 'Ihre eigenen und ',
  adds: 'Aufnahmen hinzufügen',
  changesAny: 'alle bearbeiten',
  changesOwn: 'Ihre eigenen bearbeiten',
  manages: 'Mitglieder und Ordner verwalten',
  becomesUser: 'Wenn Sie annehmen, wird ein Konto für Sie angelegt, und Sie sind angemeldet.',
  yourName: 'Ihr Name',
  accept: 'Einladung annehmen',
  haveAccount: 'Ich habe schon ein Konto',
  joins: 'Wenn Sie annehmen, kommt die Organisation zu Ihrem Konto hinzu.',
  signIn: 'Anmelden und annehmen',
  signedInAs: 'Sie sind als {name} ({email}) angemeldet.',
  signedInAsOther:
    'Sie sind als {name} ({email}) angemeldet, aber diese Einladung gilt einer anderen Adresse.',
  signOut: 'Abmelden und mit einem anderen Konto anmelden',
  useKey: 'Stattdessen einen API-Schlüssel verwenden',
  keyFor: 'API-Schlüssel von {email}',
  acceptWithKey: 'Mit diesem Schlüssel annehmen',
  expires: 'Diese Einladung kann einmal verwendet werden, bis zum',
  noName: `Geben Sie einen Namen mit ${min} bis ${max} Zeichen ein.`,
  wrongKey: 'Dieser API-Schlüssel ist ungültig, abgelaufen oder widerrufen.',
  notTheirs:
    'Diese Einladung gilt einer anderen E-Mail-Adresse, oder dieser API-Schlüssel darf keine Einladungen annehmen.',
  sessionEnded: 'Sie wurden abgemeldet. Melden Sie sich erneut an, um anzunehmen.',
  alreadyExists:
    'Zur Adresse {email} gibt es schon ein Konto. Melden Sie sich an, oder geben Sie einen API-Schlüssel des Kontos ein.',
  joined: 'Sie sind {organization} beigetreten',
  welcome: 'Willkommen bei {organization}, {name}',
  isIn: 'Sie sind jetzt Mitglied und angemeldet.',
  isMember: 'Sie sind jetzt Mitglied: Ihre API-Schlüssel geben Zugriff auf die Aufnahmen.',
  continue: 'Weiter',
  nextTime: 'So melden Sie sich das nächste Mal an',
  byProvider: 'mit {label}',
  byMail: 'mit einem Link, der an {email} gesendet wird',
  byPasskey: 'mit einem Passkey, den Sie in Ihrem Konto hinzufügen',
  byKey: 'mit dem API-Schlüssel unten, wenn Sie ihn aufbewahren',
  forApps: 'Ein API-Schlüssel für Apps und Skripte',
  keyOnce:
    'Er wird nur dieses eine Mal angezeigt. Apps und Skripte handeln damit in Ihrem Namen: Bewahren Sie ihn auf wie ein Passwort. Weitere können Sie in Ihrem Konto erstellen.',
  copyKey: 'Schlüssel kopieren',
  tryIt: 'So listen Sie in einem Terminal die Aufnahmen auf, die Sie sehen können:',
  copyCommand: 'Befehl kopieren',
  copied: 'Kopiert',
  selectIt: 'Markieren Sie den Text, um ihn zu kopieren',
  docs: 'API-Dokumentation',
};

export const WORDING: Readonly<Record<PageLanguage, Wording>> = { en, de };

/** What the role and the view flags permit. */
export function abilitiesOf(membership: Membership, language: PageLanguage): string {
  const t = WORDING[language];
  const { creates, changes, manages } = ROLE_CATALOG[membership.role];
  const opened = membership.viewFolderRecordings ? t.opened : t.own;
  const some = creates && membership.viewFolderRecordings ? t.ownAnd + opened : opened;
  const abilities = [
    seesWholeOrganization(membership) ? t.seesAll : t.sees + some,
    creates && t.adds,
    changes !== 'none' && (changes === 'any' ? t.changesAny : t.changesOwn),
    manages.length > 0 && t.manages,
  ];
  return new Intl.ListFormat(language).format(abilities.filter((ability) => ability !== false));
}

export const NOTICES: Readonly<Record<PageLanguage, Notices>> = {
  en: {
    byStatus: {
      403: {
        title: 'Please start over',
        text: 'Open the link of the invitation again, and accept it on the page that it shows.',
      },
      // The same for invitations that were accepted, withdrawn or have expired, and for those that never existed.
      404: {
        title: "This invitation isn't available",
        text: 'It may have been accepted already, expired or been withdrawn, or the address may be incomplete. Ask the person who invited you to send it again. If you have joined already, sign in.',
      },
    },
    otherwise: 'Open the link of the invitation again to start over.',
  },
  de: {
    byStatus: {
      403: {
        title: 'Bitte beginnen Sie von vorn',
        text: 'Öffnen Sie den Link der Einladung erneut, und nehmen Sie sie auf der Seite an, die er zeigt.',
      },
      404: {
        title: 'Diese Einladung ist nicht verfügbar',
        text: 'Vielleicht wurde sie schon angenommen oder zurückgezogen oder ist abgelaufen, oder die Adresse ist unvollständig. Bitten Sie die Person, die Sie eingeladen hat, sie erneut zu senden. Wenn Sie schon beigetreten sind, melden Sie sich an.',
      },
    },
    otherwise: 'Öffnen Sie den Link der Einladung erneut, um von vorn zu beginnen.',
  },
};
