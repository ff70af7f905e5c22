// Texts of the settings of an organization, its glossary and service accounts.

/** @import { Text } from '../text.js' */

export const GLOSSARY = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: [
    'Future transcripts spell these terms like this.',
    'Künftige Transkripte schreiben diese Begriffe so.',
  ],
  terms: ['Terms', 'Begriffe'],
  hint: [
    'One a line; after = what is heard instead: LambdaClass = lambda glass; lander class',
    'Je Zeile einer; nach = was stattdessen gehört wird: LambdaClass = lambda glass; lander class',
  ],
  readOnly: [
    'Owners and administrators can change them.',
    'Inhaber/innen und Administrator/innen ändern sie.',
  ],
  changed: ['Somebody else has changed the glossary', 'Jemand anderes hat das Glossar geändert'],
  changedText: [
    'Replace it, or cancel and compare in a second tab.',
    'Ersetzen, oder abbrechen und in einem zweiten Tab vergleichen.',
  ],
  replace: ['Replace', 'Ersetzen'],
});

export const ACCOUNTS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: ['Their keys go on working when people leave.', 'Ihre Schlüssel gelten weiter, wenn jemand geht.'],
  create: ['New service account', 'Neues Dienstkonto'],
  empty: ['There are no service accounts yet.', 'Es gibt noch keine Dienstkonten.'],
  access: ['The key may', 'Der Schlüssel darf'],
  full: ['all that the role includes', 'alles, was die Rolle umfasst'],
  readOnly: ['only read', 'nur lesen'],
  expiry: ['The key expires', 'Der Schlüssel läuft ab'],
  days: ['after {n} days', 'nach {n} Tagen'],
  keysOf: ['Keys of {name}', 'Schlüssel von {name}'],
  newKey: ['New key', 'Neuer Schlüssel'],
  noKeys: ['It has no keys.', 'Es hat keine Schlüssel.'],
  used: ['Last used', 'Zuletzt verwendet'],
  rotate: ['Rotate', 'Erneuern'],
  rotateText: ['The old key works for another day.', 'Der alte Schlüssel gilt noch einen Tag.'],
  revoke: ['Revoke', 'Widerrufen'],
  revokeText: [
    'Programs that use it stop working.',
    'Programme, die ihn verwenden, funktionieren nicht mehr.',
  ],
  revoked: ['revoked', 'widerrufen'],
  deleteText: ['Its keys stop working at once.', 'Seine Schlüssel gelten sofort nicht mehr.'],
});

export const SETTINGS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  onlyOwners: ['Only owners can change the settings.', 'Nur Inhaber/innen können die Einstellungen ändern.'],
  noPlan: ['The plan {plan} does not include this.', 'Der Tarif {plan} umfasst das nicht.'],
  take: ['Members may take recordings along', 'Mitglieder dürfen Aufnahmen mitnehmen'],
  takeHint: ['Moving their own out of the organization.', 'Eigene aus der Organisation verschieben.'],
  keyDays: ['API keys must expire within (days)', 'API-Schlüssel müssen ablaufen binnen (Tage)'],
  keyDaysHint: ['Others are refused here. Empty: any.', 'Andere gelten hier nicht. Leer: alle.'],
  sso: ['Required identity provider', 'Vorgeschriebener Identitätsanbieter'],
  ssoHint: [
    'Other sessions are refused here. Empty: any.',
    'Andere Sitzungen gelten hier nicht. Leer: alle.',
  ],
  plan: ['Plan: {plan}. The operator changes it.', 'Tarif: {plan}. Der Betreiber kann ihn ändern.'],
  transfer: ['Ownership', 'Inhaberschaft'],
  transferText: [
    'Whoever accepts within seven days becomes owner, and you administrator.',
    'Wer binnen sieben Tagen annimmt, wird Inhaber/in, und Sie Administrator/in.',
  ],
  offer: ['Offer ownership', 'Inhaberschaft anbieten'],
  offered: ['Offered to {name} until {time}.', 'Angeboten an {name} bis {time}.'],
  cancelOffer: ['Cancel the offer', 'Angebot zurücknehmen'],
  to: ['New owner', 'Neue/r Inhaber/in'],
  remove: ['Delete organization', 'Organisation löschen'],
  removeText: ['All members lose access, for good.', 'Alle Mitglieder verlieren den Zugriff, endgültig.'],
  recordings: ['If there are recordings', 'Falls es Aufnahmen gibt'],
  keep: ['delete nothing', 'nichts löschen'],
  deleteAll: ['delete them too', 'auch diese löschen'],
  typeName: ['Type the name to confirm: {name}', 'Zur Bestätigung den Namen eingeben: {name}'],
  wrongName: ['This is another name.', 'Das ist ein anderer Name.'],
});
