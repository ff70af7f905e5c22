// Texts of the settings of an organization, its glossary and service accounts, and of where its audit log is sent.

/** @import { Text } from '../text.js' */

export const GLOSSARY = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: [
    'Future transcripts and summaries spell these names and terms like this.',
    'Künftige Transkripte und Zusammenfassungen schreiben diese Begriffe so.',
  ],
  terms: ['Terms', 'Begriffe'],
  hint: [
    'One a line; after = what is heard instead: LambdaClass = lambda glass; lander class',
    'Je Zeile einer; nach = was stattdessen gehört wird: LambdaClass = lambda glass; lander class',
  ],
  readOnly: [
    'Owners and administrators can change them.',
    'Inhaber/innen und Administrator/innen können sie ändern.',
  ],
  changed: ['Somebody else has changed the glossary', 'Jemand anderes hat das Glossar geändert'],
  changedText: [
    'Replace it, or cancel and look at it in a second tab.',
    'Ersetzen Sie es, oder brechen Sie ab und sehen Sie es in einem zweiten Tab an.',
  ],
  replace: ['Replace', 'Ersetzen'],
});

export const ACCOUNTS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: [
    'For programs. Their keys reach only this organization, and go on working when people leave.',
    'Für Programme. Ihre Schlüssel erreichen nur diese Organisation und gelten weiter, wenn jemand geht.',
  ],
  create: ['New service account', 'Neues Dienstkonto'],
  empty: ['There are no service accounts yet.', 'Es gibt noch keine Dienstkonten.'],
  access: ['The key may', 'Der Schlüssel darf'],
  full: ['all that the role includes', 'alles, was die Rolle umfasst'],
  readOnly: ['only read', 'nur lesen'],
  expiry: ['The key expires', 'Der Schlüssel läuft ab'],
  days: ['after {n} days', 'nach {n} Tagen'],
  keys: ['Keys', 'Schlüssel'],
  keysOf: ['Keys of {name}', 'Schlüssel von {name}'],
  newKey: ['New key', 'Neuer Schlüssel'],
  noKeys: ['It has no keys.', 'Es hat keine Schlüssel.'],
  used: ['Last used', 'Zuletzt verwendet'],
  rotate: ['Rotate', 'Erneuern'],
  rotateText: [
    'A new key replaces it; the old one works for another day.',
    'Ein neuer Schlüssel ersetzt ihn; der alte gilt noch einen Tag.',
  ],
  revoke: ['Revoke', 'Widerrufen'],
  revokeText: [
    'Programs that use it stop working at once.',
    'Programme, die ihn verwenden, funktionieren sofort nicht mehr.',
  ],
  revoked: ['revoked', 'widerrufen'],
  deleteText: ['Its keys stop working at once.', 'Seine Schlüssel gelten sofort nicht mehr.'],
});

export const STREAM = /** @type {const} @satisfies {Record<string, Text>} */ ({
  about: [
    'What is logged from now on is sent to a receiver of yours.',
    'Was ab jetzt protokolliert wird, wird an Ihren Empfänger gesendet.',
  ],
  off: ['It is sent nowhere.', 'Es wird nirgendwohin gesendet.'],
  url: ['URL of the receiver', 'URL des Empfängers'],
  format: ['Format', 'Format'],
  token: ['Token', 'Token'],
  tokenHint: ['Saving without one sends none.', 'Ohne Angabe wird keiner gesendet.'],
  unsent: ['Nothing has been sent yet.', 'Es wurde noch nichts gesendet.'],
  sent: ['Last sent {time}; entries wait for {lag} s.', 'Zuletzt gesendet {time}; Einträge warten {lag} s.'],
  failing: ['Failing since {time}: {error}', 'Fehlgeschlagen seit {time}: {error}'],
  stop: ['Stop sending', 'Nicht mehr senden'],
  stopText: [
    'What the receiver has not taken is not sent.',
    'Was der Empfänger noch nicht hat, wird nicht gesendet.',
  ],
});

export const SETTINGS = /** @type {const} @satisfies {Record<string, Text>} */ ({
  onlyOwners: ['Only owners can change the settings.', 'Nur Inhaber/innen können die Einstellungen ändern.'],
  noPlan: ['The plan {plan} does not include this.', 'Der Tarif {plan} umfasst das nicht.'],
  take: ['Members may take recordings along', 'Mitglieder dürfen Aufnahmen mitnehmen'],
  takeHint: [
    'All may move their own recordings out of the organization, not only owners and administrators.',
    'Alle dürfen eigene Aufnahmen aus der Organisation verschieben, nicht nur Inhaber/innen und Administrator/innen.',
  ],
  keyDays: ['API keys must expire within (days)', 'API-Schlüssel müssen ablaufen binnen (Tage)'],
  keyDaysHint: [
    'Others do not reach the organization. Empty: any time.',
    'Andere erreichen die Organisation nicht. Leer: egal wann.',
  ],
  sso: ['Required identity provider', 'Vorgeschriebener Identitätsanbieter'],
  ssoHint: [
    'Its name. Sessions that began otherwise do not reach the organization. Empty: any.',
    'Sein Name. Anders begonnene Sitzungen erreichen die Organisation nicht. Leer: jeder.',
  ],
  plan: ['Plan', 'Tarif'],
  planHint: ['Operators of the service change it.', 'Ihn ändern die Betreiber des Dienstes.'],
  ends: ['{status}, until {time}', '{status}, bis {time}'],
  transfer: ['Ownership', 'Inhaberschaft'],
  transferText: [
    'If they accept within seven days, another member becomes owner and you administrator.',
    'Nimmt ein anderes Mitglied binnen sieben Tagen an, geht die Inhaberschaft über; Sie werden Administrator/in.',
  ],
  offer: ['Offer ownership', 'Inhaberschaft anbieten'],
  offered: ['Offered to {name} until {time}.', 'Angeboten an {name} bis {time}.'],
  cancelOffer: ['Cancel the offer', 'Angebot zurücknehmen'],
  nobody: ['There is no member to offer it to.', 'Es gibt kein Mitglied dafür.'],
  to: ['New owner', 'Neue/r Inhaber/in'],
  remove: ['Delete organization', 'Organisation löschen'],
  removeText: [
    'All members lose access at once. This cannot be undone.',
    'Alle Mitglieder verlieren sofort den Zugriff. Das lässt sich nicht rückgängig machen.',
  ],
  recordings: ['If there are recordings', 'Falls es Aufnahmen gibt'],
  keep: ['delete nothing', 'nichts löschen'],
  deleteAll: ['delete them too', 'auch diese löschen'],
  typeName: ['Type the name to confirm: {name}', 'Zur Bestätigung den Namen eingeben: {name}'],
  wrongName: ['This is not the name of the organization.', 'Das ist nicht der Name der Organisation.'],
});

export const STATUSES = /** @type {const} @satisfies {Record<string, Text>} */ ({
  active: ['active', 'aktiv'],
  trialing: ['trial', 'Testzeitraum'],
  past_due: ['payment overdue', 'Zahlung überfällig'],
  canceled: ['canceled', 'gekündigt'],
  expired: ['expired', 'abgelaufen'],
});
