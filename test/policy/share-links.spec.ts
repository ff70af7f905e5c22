import { describe, expect, it } from '@jest/globals';
import { TO_SHARE } from '../../src/contract/scopes.js';
import { PLAN_CATALOG, type Feature } from '../../src/policy/plans.js';
import { EVERYTHING } from '../../src/policy/reach.js';
import { ROLES } from '../../src/policy/roles.js';
import { WHOLE_INSTALLATION } from '../../src/policy/recording-access.js';
import {
  creatorMayShare,
  decideShared,
  endOf,
  isExpired,
  mayControl,
  reasonForRecipients,
  type RecipientCapability,
  type ShareLinkOrigin,
} from '../../src/policy/share-links.js';
import {
  ALL_ON,
  daysAgo,
  FOLDER,
  membership,
  NOW,
  ORGANIZATION,
  organizationFacts,
  personalFacts,
  SOMEBODY_ELSE,
  terms,
  VIEWER,
} from './facts.js';

describe('a share link', () => {
  const now = new Date('2026-01-31T09:30:00.000Z');

  it.each([
    ['without an expiry', null, false],
    ['a millisecond before it', '2026-01-31T09:30:00.001Z', false],
    ['at that moment', '2026-01-31T09:30:00.000Z', true],
    ['a millisecond after it', '2026-01-31T09:29:59.999Z', true],
  ])('has expired, %s: %s is %s', (_, expiresAt, expired) => {
    expect(isExpired({ expiresAt: expiresAt === null ? null : new Date(expiresAt) }, now)).toBe(expired);
  });

  it.each([
    ['never', null, null, null],
    ['by itself', '2026-02-01T00:00:00.000Z', null, null],
    ['by itself, before its key', '2026-02-01T00:00:00.000Z', '2026-03-01', '2026-04-01'],
    ['when its key expires', null, '2026-02-01T00:00:00.000Z', null],
    ['when its key expires, before itself', '2026-03-01', '2026-02-01T00:00:00.000Z', null],
    ['when its key is revoked', '2026-03-01', '2026-04-01', '2026-02-01T00:00:00.000Z'],
  ])('ends %s', (when, own, expiry, revoked) => {
    const time = (text: string | null) => (text === null ? null : new Date(text));
    const end = when === 'never' ? null : new Date('2026-02-01T00:00:00.000Z');
    expect(endOf(time(own), { expiresAt: time(expiry), revokedAt: time(revoked) })).toEqual(end);
    if (expiry === null && revoked === null) expect(endOf(time(own), null)).toEqual(end);
  });

  it.each([
    ['its creator who may only view the recording', 'ada', false, true],
    ['its creator who may change the recording', 'ada', true, true],
    ["another's, by who may change the recording", 'grace', true, true],
    ["another's, by who only sees the recording", 'grace', false, false],
  ])('may be controlled or not by: %s', (_, createdBy, mayChange, controlled) => {
    expect(mayControl('ada', { createdBy }, { mayChange })).toBe(controlled);
  });
});

/** What each feature allows recipients. */
const GIVES = {
  downloads: 'canDownload',
  transcription: 'canViewTranscription',
  summaries: 'canViewSummary',
} as const;
type Given = keyof typeof GIVES;

describe('what recipients of a share link may use', () => {
  const facts = organizationFacts({ status: 'COMPLETED', transcriptionStatus: 'completed' });
  const ofOrganization = { createdBy: VIEWER, organizationId: facts.organizationId, key: null };
  const personal = personalFacts({ status: 'COMPLETED', transcriptionStatus: 'completed', ownerPlan: 'PRO' });
  const ofPersonal = { createdBy: VIEWER, organizationId: null, key: null };

  const shared = (link: ShareLinkOrigin, given: typeof facts) =>
    decideShared(link, given, NOW, WHOLE_INSTALLATION);
  const all = { canDownload: true, canShare: true, canViewTranscription: true, canViewSummary: true };

  it('is limited to reading and downloading, whatever the role of the creator', () => {
    for (const role of ROLES) {
      const access = shared(ofOrganization, { ...facts, ...membership({ role }) });
      expect(access?.capabilities).toMatchObject({
        ...all,
        canStartTranscription: false,
        canRegenerateTranscription: false,
        canRenameSpeaker: false,
        canGenerateSummary: false,
      });
      expect([access?.visible, access?.mayChange]).toEqual([false, false]);
    }
    expect(shared(ofPersonal, personal)).toMatchObject({ mayChange: false, capabilities: all });
  });

  const without = (feature: Feature) => ({ ...ALL_ON, [feature]: false });

  describe.each(ROLES)('with a creator who is %s', (role) => {
    const lacking = (feature: Feature, off: 'the organization' | 'the creator') => ({
      ...facts,
      ...terms(off === 'the organization' ? { features: without(feature) } : {}),
      ...membership({ role, features: off === 'the creator' ? without(feature) : ALL_ON }),
    });

    it.each(['the organization', 'the creator'] as const)(
      'is nothing when sharing is turned off for %s',
      (off) => {
        expect(shared(ofOrganization, lacking('sharing', off))).toBeNull();
      },
    );

    it.each(Object.keys(GIVES) as Given[])(
      'excludes only %s when they are turned off for either',
      (feature) => {
        for (const off of ['the organization', 'the creator'] as const) {
          expect(shared(ofOrganization, lacking(feature, off))?.capabilities).toMatchObject({
            ...all,
            [GIVES[feature]]: false,
          });
        }
      },
    );
  });

  it('excludes what the plan does not include', () => {
    const free = { ...facts, createdAt: daysAgo(1), ...terms({ plan: 'FREE' }) };
    expect(PLAN_CATALOG.FREE.features.downloads).toBe(false);
    expect(shared(ofOrganization, free)?.capabilities).toMatchObject({ ...all, canDownload: false });
  });

  it.each([
    ['the creator is not a member', ofOrganization, { ...facts, membership: null }],
    [
      'the creator is not the owner of a personal recording',
      ofPersonal,
      { ...personal, ownerId: SOMEBODY_ELSE },
    ],
    ['the owner of a personal recording was deleted', ofPersonal, { ...personal, ownerId: null }],
    ['the recording is no longer personal', ofPersonal, { ...facts, ownerId: VIEWER }],
    ['the recording left the organization', ofOrganization, { ...personal, ownerId: VIEWER }],
    ['the recording is in another organization', { ...ofOrganization, organizationId: 'another' }, facts],
    [
      'the plan locks the recording',
      ofOrganization,
      { ...facts, createdAt: daysAgo(31), ...terms({ plan: 'FREE' }) },
    ],
    [
      'the subscription has ended',
      ofOrganization,
      { ...facts, ...terms({ subscription: { status: 'expired', endsAt: null } }) },
    ],
  ])('is nothing when %s', (_, link, given) => {
    expect(shared(link, given)).toBeNull();
  });

  it.each([
    ['canDownload', 'view', facts, 'scope'],
    ['canDownload', 'view', { ...facts, status: 'ERROR' }, 'scope'],
    ['canDownload', 'download', facts, undefined],
    ['canDownload', 'download', { ...facts, ...terms({ plan: 'FREE' }) }, 'scope'],
    ['canDownload', 'download', { ...facts, ...terms({ features: without('downloads') }) }, 'scope'],
    ['canDownload', 'download', { ...facts, ...membership({ features: without('downloads') }) }, 'scope'],
    ['canDownload', 'download', { ...facts, status: 'ERROR' }, 'no_media'],
    ['canDownload', 'download', { ...facts, status: 'PROCESSING' }, 'not_ready'],
    ['canViewSummary', 'view', { ...facts, ...terms({ features: without('summaries') }) }, 'scope'],
    [
      'canViewTranscription',
      'view',
      { ...facts, ...membership({ features: without('transcription') }) },
      'scope',
    ],
    ['canViewTranscription', 'view', { ...facts, transcriptionStatus: 'processing' }, undefined],
  ] as const)('gives no reason that recipients need not know: %s of a link to %s', (...row) => {
    const [capability, permission, given, reason] = row;
    const access = shared(ofOrganization, given);
    const found = access && reasonForRecipients(capability satisfies RecipientCapability, permission, access);
    expect(found?.reason).toBe(reason);
    expect(found?.plan ?? null).toBeNull();
  });

  const key = { ...EVERYTHING, scopes: TO_SHARE };
  const inFolder = { ...facts, folder: { id: FOLDER, open: true } };
  const ofOrganizations = { ...key, organizationIds: [ORGANIZATION] };

  it.each([
    ['has what it takes to share', key, facts, true],
    ['lacks a scope to share', { ...key, scopes: ['recordings:read', 'transcripts:read'] }, facts, false],
    ['lacks a scope to read', { ...key, scopes: ['shares:write', 'recordings:read'] }, facts, false],
    ['has no limit but its expiry', { ...key, scopes: null }, facts, true],
    ['reaches the organization', ofOrganizations, facts, true],
    ['reaches another organization', { ...key, organizationIds: ['another'] }, facts, false],
    ['reaches the folder', { ...ofOrganizations, folderIds: [FOLDER] }, inFolder, true],
    ['reaches the folder that it has left', { ...ofOrganizations, folderIds: [FOLDER] }, facts, false],
    ['is refused by the organization', { ...key, refusedBy: [ORGANIZATION] }, facts, false],
  ] as const)('depends on the key that the link ends with: one that %s', (_, limits, given, opens) => {
    const access = shared({ ...ofOrganization, key: limits }, given);
    expect(access?.capabilities ?? null).toEqual(opens ? expect.objectContaining(all) : null);
  });

  it('does not depend on whether the creator still sees the recording', () => {
    const blind = {
      ...facts,
      ownerId: SOMEBODY_ELSE,
      folder: null,
      ...membership({ role: 'VIEWER' }),
    };
    expect(shared(ofOrganization, blind)?.capabilities).toMatchObject(all);
  });

  it.each([
    ['view', null, true],
    ['download', null, true],
    ['view', ALL_ON, true],
    ['download', ALL_ON, true],
    ['view', without('sharing'), false],
    ['download', without('sharing'), false],
    ['view', without('downloads'), true],
    ['download', without('downloads'), false],
  ] as const)('the flags of its creator allow a link: %s with %j is %s', (permission, flags, allowed) => {
    expect(creatorMayShare(permission, flags)).toBe(allowed);
  });
});
