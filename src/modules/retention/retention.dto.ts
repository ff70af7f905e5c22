import { isDeepStrictEqual } from 'node:util';
import { ApiSchema } from '@nestjs/swagger';
import { REMOVALS, type Removal } from '../../contract/changes/change-details.js';
import { LIMITS } from '../../contract/limits.js';
import { z } from '../../lib/zod.js';
import { IntegerParameter } from '../../platform/http/fields/number-fields.js';
import {
  EnumProperty,
  IdProperty,
  IntegerProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../platform/openapi/field.decorator.js';
import {
  AppliedRetentionRule,
  presentAppliedRule,
} from '../recordings/access/public/retention.response.dto.js';
import { RETENTION_LIMITS } from './retention-limits.js';
import type { Preview } from './retention.service.js';
import { COUNTED_FROM, type CountedFrom, type OrganizationRetention } from '../../policy/retention.js';

const { days: DAYS, noticeDays: NOTICE, exceptions: EXCEPTIONS, previewDays: PREVIEW } = RETENTION_LIMITS;
const RULE_ID = '01998a3c-0a11-7d52-8c6e-51f0c3a7b2ee';
/** What can go at once: something else is left, or made of it first. */
const AT_ONCE: ReadonlySet<Removal> = new Set(['media', 'original']);

const id = z.uuid({ error: 'must be a UUID' }).toLowerCase();
const ids = (of: string) =>
  z
    .array(id)
    .max(EXCEPTIONS)
    .default([])
    .meta({ description: `Whose recordings are kept: ${of}` });

const rule = z.strictObject({
  removes: z.enum(REMOVALS).meta({
    description:
      '`media`: all media, also what it was made from. `original`: the uploaded file, once there is a converted one. `transcript`: with its earlier revisions; the summary stays. `all`: the recording',
  }),
  days: z.int().min(DAYS.min).max(DAYS.max).meta({
    description:
      'Days until then. `0` for `media`: once transcript and summary are completed, or else after a day. `0` for `original`: at once',
    example: 365,
  }),
  counted_from: z.enum(COUNTED_FROM).default('meeting').meta({
    description:
      'The end of the meeting, or when somebody last viewed or watched the recording or read its transcript, if that was later',
  }),
  folder_id: id.nullable().default(null).meta({
    description: 'Only for this folder; null: for the whole organization',
    example: null,
  }),
  except: z
    .strictObject({
      titles: z
        .array(z.string().min(LIMITS.title.min).max(LIMITS.title.max))
        .max(EXCEPTIONS)
        .default([])
        .meta({
          description: 'Titles, in any case, with or without accents; `*` stands for anything',
          example: ['Board *'],
        }),
      owner_ids: ids('members'),
      folder_ids: ids('folders'),
    })
    .prefault({})
    .meta({ description: 'What the rule does not apply to' }),
});

export const RETENTION = z
  .strictObject({
    notice_days: z.int().min(NOTICE.min).max(NOTICE.max).default(NOTICE.default).meta({
      description:
        'Days before a removal on which it is announced, and before a rule that is new or has changed is in force',
    }),
    rules: z
      .array(rule)
      .max(RETENTION_LIMITS.rules)
      .meta({ description: 'All rules. Of those for a recording, the one that ends first counts' }),
  })
  .superRefine(({ rules }, context) => {
    for (const [index, { days, ...content }] of rules.entries()) {
      const refuse = (field: string, message: string): void =>
        context.addIssue({ code: 'custom', path: ['rules', index, field], message });
      if (days === 0 && !AT_ONCE.has(content.removes))
        refuse('days', 'must be at least 1, except for media and original');
      // Of two that differ in their days only, one would never count.
      const same = rules.findIndex(({ days: _, ...other }) => isDeepStrictEqual(other, content));
      if (same < index) refuse('removes', `is said by rules[${same}] too, for the same recordings`);
    }
  })
  .meta({ title: 'RetentionRequest' });

export type GivenRetention = z.output<typeof RETENTION>;

export const RETENTION_BODIES = {
  rules: {
    summary: 'Media for 90 days, everything for seven years',
    value: {
      notice_days: 14,
      rules: [
        { removes: 'media', days: 90, except: { titles: ['Board *'] } },
        { removes: 'all', days: 2557 },
      ],
    },
  },
};

@ApiSchema({ name: 'RetentionExceptions' })
export class RetentionExceptionsResponse {
  @StringListProperty('Titles; `*` stands for anything', { example: ['Board *'] })
  titles: readonly string[];

  @StringListProperty('Members whose recordings are kept', { example: [] })
  owner_ids: readonly string[];

  @StringListProperty('Folders whose recordings are kept', { example: [] })
  folder_ids: readonly string[];
}

@ApiSchema({ name: 'RetentionRule' })
export class RetentionRuleResponse {
  @IdProperty('Identifier of the rule', { example: RULE_ID })
  id: string;

  @EnumProperty('What goes', { values: REMOVALS, name: 'Removal', example: 'media' })
  removes: Removal;

  @IntegerProperty('Days until then', { example: 90 })
  days: number;

  @EnumProperty('From when on', { values: COUNTED_FROM, name: 'CountedFrom', example: 'meeting' })
  counted_from: CountedFrom;

  @IdProperty('The folder that it is for; null: the whole organization', { nullable: true, example: null })
  folder_id: string | null;

  @NestedProperty(() => RetentionExceptionsResponse, 'What it does not apply to')
  except: RetentionExceptionsResponse;

  @TimestampProperty('When it is in force: `notice_days` after it was set')
  effective_at: string;
}

@ApiSchema({ name: 'Retention' })
export class RetentionResponse {
  @IntegerProperty('Days before a removal on which it is announced', { example: 14 })
  notice_days: number;

  @NestedProperty(() => [RetentionRuleResponse], 'All rules, in the order in which they were given')
  rules: readonly RetentionRuleResponse[];
}

export const presentRetentionRules = ({ noticeDays, rules }: OrganizationRetention): RetentionResponse => ({
  notice_days: noticeDays,
  rules,
});

export class PreviewDto {
  @IntegerParameter('Days from now on', { ...PREVIEW, example: 30 })
  days: number = PREVIEW.default;
}

export class PreviewedRecording {
  @IdProperty('Identifier of the recording')
  id: string;

  @TextProperty('Title', { example: 'Weekly sync' })
  title: string;

  @TimestampProperty('When it goes')
  ends_at: string;

  @NestedProperty(() => AppliedRetentionRule, 'The rule by which it goes')
  rule: AppliedRetentionRule;
}

export class RetentionPreview {
  @TimestampProperty('The end of the preview')
  until: string;

  @IntegerProperty('Recordings of which something goes until then', { example: 1 })
  total: number;

  @NestedProperty(
    () => [PreviewedRecording],
    `The first ${RETENTION_LIMITS.preview} of them, by when it goes`,
  )
  recordings: readonly PreviewedRecording[];
}

export const presentPreview = ({ until, rules, found }: Preview): RetentionPreview => ({
  until: until.toISOString(),
  total: found[0]?.total ?? 0,
  recordings: found.map(({ id: recordingId, title, endsAt, rank }) => ({
    id: recordingId,
    title,
    ends_at: endsAt.toISOString(),
    rule: presentAppliedRule(rules[rank]!),
  })),
});
