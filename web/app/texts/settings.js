// Texts of the settings of an organization, its glossary and service accounts.

/** @import { Text } from '../text.js' */

export const GLOSSARY = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: ['Transcripts will spell these like this.', 'So schreiben Transkripte künftig diese Begriffe.'],
  terms: ['Terms', 'Begriffe'],
  hint: [
    'One a line, after = what is heard instead: LambdaClass = lambda glass; lander class',
    'Je Zeile einer, nach = was gehört wird: LambdaClass = lambda glass; lander class',
  ],
  readOnly: [
    'Owners and administrators can change them.',
    'Inhaber/innen und Administrator/innen können sie ändern.',
  ],
  changed: ['Somebody else has changed the glossary', 'Jemand anderes hat das Glossar geändert'],
  changedText: ['You can compare in a second tab.', 'Sie können in einem zweiten Tab vergleichen.'],
  replace: ['Replace', 'Ersetzen'],
});

export const ACCOUNTS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: ['Their keys go on working when people leave.', 'Ihre Schlüssel gelten weiter, wenn jemand geht.'],
  create: ['New service account', 'Neues Dienstkonto'],
  access: ['The key may', 'Der Schlüssel darf'],
  full: ['all that the role includes', 'alles, was die Rolle umfasst'],
  readOnly: ['only read', 'nur lesen'],
  expiry: ['The key expires', 'Der Schlüssel läuft ab'],
  days: ['after {n} days', 'nach {n} Tagen'],
  keysOf: ['Keys of {name}', 'Schlüssel von {name}'],
  newKey: ['New key', 'Neuer Schlüssel'],
  used: ['Last used', 'Zuletzt verwendet'],
  rotate: ['Rotate', 'Erneuern'],
  rotateText: ['The old key works for another day.', 'Der alte Schlüssel gilt noch einen Tag.'],
  revoke: ['Revoke', 'Widerrufen'],
  revokeText: ['Programs that use it stop working.', 'Programme mit ihm funktionieren nicht mehr.'],
  revoked: ['revoked', 'widerrufen'],
  deleteText: ['Its keys end; its recordings become yours.', 'Schlüssel enden, Aufnahmen gehen an Sie.'],
});

export const SETTINGS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  onlyOwners: ['Only owners can change the settings.', 'Nur Inhaber/innen können die Einstellungen ändern.'],
  take: ['Members may move their recordings out', 'Mitglieder dürfen eigene Aufnahmen herausnehmen'],
  keyDays: ['API keys must expire within (days)', 'API-Schlüssel müssen ablaufen binnen (Tage)'],
  binDays: [
    'Deleted recordings can be restored for (days; empty: as the service has it)',
    'Gelöschte Aufnahmen lassen sich wiederherstellen (Tage; leer: wie im Dienst eingestellt)',
  ],
  sso: ['Required identity provider (empty: any)', 'Vorgeschriebener Identitätsanbieter (leer: jeder)'],
  accent: ['Color of share pages (empty: the usual)', 'Farbe geteilter Seiten (leer: die übliche)'],
  domain: ['Domain of share pages (empty: the usual)', 'Domain geteilter Seiten (leer: die übliche)'],
  logo: ['Logo of share pages', 'Logo geteilter Seiten'],
  logoFile: ['Image (PNG, JPEG, WebP)', 'Bild (PNG, JPEG, WebP)'],
  replaceLogo: ['Choose a logo', 'Logo auswählen'],
  removeLogo: ['Remove the logo', 'Logo entfernen'],
  apps: [
    'Connected apps let in: a client ID per line (empty: any; -: none)',
    'Zugelassene Apps: je Zeile eine Client-ID (leer: jede; -: keine)',
  ],
  plan: ['Plan: {plan}. The operator can change it.', 'Tarif: {plan}. Der Betreiber kann ihn ändern.'],
  transfer: ['Ownership', 'Inhaberschaft'],
  transferText: ['The new owner has seven days to accept.', 'Angenommen werden kann sieben Tage lang.'],
  offer: ['Offer ownership', 'Inhaberschaft anbieten'],
  offered: ['Offered to {name} until {time}.', 'Angeboten an {name} bis {time}.'],
  cancelOffer: ['Cancel the offer', 'Angebot zurücknehmen'],
  to: ['New owner', 'Neue/r Inhaber/in'],
  remove: ['Delete organization', 'Organisation löschen'],
  removeText: ['All members lose access for good.', 'Alle Mitglieder verlieren endgültig den Zugriff.'],
  recordings: ['Delete its recordings too', 'Auch ihre Aufnahmen löschen'],
  typeName: ['Type the name to confirm: {name}', 'Zur Bestätigung den Namen eingeben: {name}'],
  wrongName: ['This is another name.', 'Das ist ein anderer Name.'],
});
