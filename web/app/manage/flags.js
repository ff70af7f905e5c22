// Feature flags of organizations and members: what each changes is in their texts.
import { t } from '../text.js';
import { FLAG_HINTS, FLAGS, MEMBERS } from '../texts/manage.js';
import { isManager } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { FieldOf } from './actions.js' */

export const FEATURES = /** @type {const} */ ([
  'downloads',
  'sharing',
  'transcription',
  'summaries',
  'questions',
]);
export const MEMBER_FLAGS = /** @type {const} */ ([
  ...FEATURES,
  'view_all_recordings',
  'view_folder_recordings',
]);
/** What members have unless something else is said. */
export const USUAL = Object.fromEntries(MEMBER_FLAGS.map((name) => [name, name !== 'view_all_recordings']));

/** Fields for flags. @template {keyof typeof FLAGS} F @param {readonly F[]} names @param {Readonly<Partial<Record<F, boolean>>>} now @returns {FieldOf[]} */
export const flagFields = (names, now) =>
  names.map((name) => ({ name, label: FLAGS[name], hint: FLAG_HINTS[name], defaultChecked: now[name] }));

/** What was ticked of such fields. @template {string} F @param {readonly F[]} names @param {Record<string, string>} values */
export const readFlags = (names, values) =>
  /** @type {Record<F, boolean>} */ (Object.fromEntries(names.map((name) => [name, name in values])));

/** What somebody may do that most may not, or the other way round. @param {{ features: Schemas['MemberFeatures'] | null, role: Schemas['OrganizationRole'] }} one */
export function accessText({ features, role }) {
  if (!features) return '';
  const seesAll = features.view_all_recordings && 'view_folder_recordings';
  const moot = isManager(role) ? MEMBER_FLAGS.slice(FEATURES.length) : [seesAll];
  const unusual = MEMBER_FLAGS.filter((name) => features[name] !== USUAL[name] && !moot.includes(name));
  const told = unusual.map((name) =>
    t(features[name] ? MEMBERS.with : MEMBERS.without, { name: t(FLAGS[name]) }),
  );
  return told.join(', ') || t(MEMBERS.everything);
}
