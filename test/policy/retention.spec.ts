import { describe, expect, it } from '@jest/globals';
import {
  isRemovable,
  organizationRules,
  personalRules,
  retentionOf,
  type OrganizationRule,
  type RetentionFacts,
} from '../../src/policy/retention.js';
import { daysAgo, DAY, FOLDER, NOW, SOMEBODY_ELSE, VIEWER } from './facts.js';

const NO_CAPS = { personal: null, plans: { FREE: null, PRO: null, ENTERPRISE: null } };
const LONG_AGO = daysAgo(3_000).toISOString();

const rule = (overrides: Partial<OrganizationRule>): OrganizationRule => ({
  id: '0197a000-0000-7000-8000-0000000000cc',
  removes: 'all',
  days: 30,
  counted_from: 'meeting',
  folder_id: null,
  except: { titles: [], owner_ids: [], folder_ids: [] },
  effective_at: LONG_AGO,
  ...overrides,
});

/** A meeting of ten days ago, with everything. */
const facts = (overrides: Partial<RetentionFacts> = {}): RetentionFacts => ({
  ownerId: VIEWER,
  folderId: FOLDER,
  exceptedBy: [],
  metAt: daysAgo(10),
  viewedAt: null,
  placedAt: daysAgo(10),
  status: 'COMPLETED',
  hasMedia: true,
  withoutMedia: false,
  hasOriginal: true,
  transcript: 'completed',
  summary: 'completed',
  inBin: false,
  ...overrides,
});

const decide = (rules: Partial<OrganizationRule>[], of: Partial<RetentionFacts> = {}, noticeDays = 7) => {
  const own = { noticeDays, rules: rules.map((one) => rule(one)) };
  const found = retentionOf(organizationRules(own, 'PRO', NO_CAPS), facts(of));
  return found && [found.rule.removes, (found.endsAt.getTime() - NOW.getTime()) / DAY];
};

describe('what goes next of a recording', () => {
  it.each<[string, Partial<OrganizationRule>[], Partial<RetentionFacts>, unknown]>([
    ['nothing without rules', [], {}, null],
    ['what a rule says, days after the meeting', [{ days: 30 }], {}, ['all', 20]],
    ['what ends first', [{ days: 30 }, { removes: 'media', days: 20 }], {}, ['media', 10]],
    ['at the same time, what removes the most', [{ removes: 'media' }, { removes: 'all' }], {}, ['all', 20]],
    [
      'the rest, after the media',
      [{ days: 30 }, { removes: 'media', days: 20 }],
      { hasMedia: false, withoutMedia: true },
      ['all', 20],
    ],
    ['nothing by a rule of another folder', [{ folder_id: SOMEBODY_ELSE }], {}, null],
    ['what the rule of its folder says', [{ folder_id: FOLDER }], {}, ['all', 20]],
    [
      'nothing of an excepted owner',
      [{ except: { titles: [], owner_ids: [VIEWER], folder_ids: [] } }],
      {},
      null,
    ],
    [
      'nothing in an excepted folder',
      [{ except: { titles: [], owner_ids: [], folder_ids: [FOLDER] } }],
      {},
      null,
    ],
    ['nothing with an excepted title', [{}], { exceptedBy: [rule({}).id] }, null],
    ['after the last view', [{ counted_from: 'last_view' }], { viewedAt: daysAgo(3) }, ['all', 27]],
    ['after the meeting without a view', [{ counted_from: 'last_view' }], {}, ['all', 20]],
    [
      'no original without a converted file',
      [{ removes: 'original', days: 0 }],
      { hasOriginal: false },
      null,
    ],
    ['no transcript that is not there', [{ removes: 'transcript' }], { transcript: null }, null],
    ['no transcript in the making', [{ removes: 'transcript' }], { transcript: 'processing' }, null],
    [
      'only all of what is in the bin',
      [{ removes: 'media', days: 20 }, { days: 30 }],
      { inBin: true },
      ['all', 20],
    ],
  ])('is %s', (_, rules, of, expected) => {
    expect(decide(rules, of)).toEqual(expected);
  });

  it.each<[string, Partial<RetentionFacts>, number]>([
    ['at once with transcript and summary', {}, -10],
    ['after a day without a summary', { summary: null }, -9],
    ['after a day if the transcript fails', { transcript: 'failed' }, -9],
    ['a day after it was created, if that was later', { transcript: null, placedAt: daysAgo(0.5) }, 0.5],
  ])('with zero days, is the media %s', (_, of, ends) => {
    expect(decide([{ removes: 'media', days: 0 }], of)).toEqual(['media', ends]);
  });

  it.each<[string, Partial<OrganizationRule>, Partial<RetentionFacts>, number]>([
    ['for a rule that is new', { days: 5, effective_at: daysAgo(-6).toISOString() }, {}, 6],
    ['for a recording that has been moved', { days: 5 }, { placedAt: daysAgo(1) }, 4],
    ['for an old meeting that has been uploaded', { days: 300 }, { metAt: daysAgo(3_000), placedAt: NOW }, 7],
  ])('waits for the notice %s', (_, one, of, ends) => {
    expect(decide([one], of)).toEqual(['all', ends]);
  });

  it('is what the plan or the installation says, if that ends first', () => {
    const caps = { personal: 60, plans: { FREE: 20, PRO: null, ENTERPRISE: null } };
    const own = { noticeDays: 0, rules: [rule({ days: 30 })] };
    const found = [
      organizationRules(own, 'FREE', caps),
      organizationRules(own, 'PRO', caps),
      personalRules('FREE', caps),
      personalRules('PRO', caps),
    ].map((rules) => retentionOf(rules, facts()));
    expect(found.map((one) => one && [one.rule.source, one.rule.id, one.rule.days])).toEqual([
      ['plan', null, 20],
      ['organization', rule({}).id, 30],
      ['plan', null, 20],
      ['installation', null, 60],
    ]);
  });
});

it.each<[string, OrganizationRule['removes'], Partial<RetentionFacts>, boolean]>([
  ['media of a completed recording goes', 'media', {}, true],
  ['media of a failed recording goes', 'media', { status: 'ERROR' }, true],
  ['media that is being packaged waits', 'media', { status: 'MIGRATING' }, false],
  ['media that is being transcribed waits', 'media', { transcript: 'processing' }, false],
  ['media of a meeting that is being summarized waits', 'media', { summary: 'processing' }, false],
  ['a whole recording never waits', 'all', { status: 'RECORDING', transcript: 'processing' }, true],
])('%s', (_, removes, of, expected) => {
  const [applied] = organizationRules({ noticeDays: 0, rules: [rule({ removes })] }, 'PRO', NO_CAPS);
  expect(isRemovable(applied!, facts(of))).toBe(expected);
});
