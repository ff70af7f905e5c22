import { isDeepStrictEqual } from 'node:util';
import { ApiSchema } from '@nestjs/swagger';
import { REMOVALS, type Removal } from '../../contract/changes/change-details.js';
import { LIMITS } from '../../contract/limits.js';
import { present } from '../../contract/present.js';
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
import { AppliedRetentionRule } from '../recordings/access/public/retention.response.dto.js';
import { RETENTION_LIMITS } from './retention-limits.js';
import type { FoundPreview } from './retention.queries.js';
import { COUNTED_FROM, type CountedFrom, type OrganizationRetention } from '../../policy/retention.js';

const { days: DAYS, noticeDays: NOTICE, exceptions: EXCEPTIONS, previewDays: PREVIEW } = RETENTION_LIMITS;
const RULE_ID = '01998a3c-0a11-7d52-8c6e-51f0c3a7b2ee';
/** May be removed after zero days: something else is left, or made from it first. */
const AT_ONCE: ReadonlySet<Removal> = new Set(['media', 'original']);

const id = z.uuid({ error: 'must be a UUID' }).toLowerCase();
const ids = (of: 'Members' | 'Folders') =>
  z
    .array(id)
    .max(EXCEPTIONS)
    .default([])
    .meta({ description: `${of} whose recordings are kept` });

const rule = z.strictObject({
  removes: z.enum(REMOVALS).meta({
    description:
      '`media`: all media, also what it was made from. `original`: the uploaded file, once there is a converted one. `transcript`: with its earlier revisions; the summary stays. `all`: the recording',
  }),
  days: z.int().min(DAYS.min).max(DAYS.max).meta({
    description:
      'Days after which it is removed. `0` for `media`: once transcript and summary are completed, otherwise after a day. `0` for `original`: at once',
    example: 365,
  }),
  counted_from: z.enum(COUNTED_FROM).default('meeting').meta({
    description:
      'What the days are counted from: the end of the meeting, or the last time somebody viewed or watched the recording or read its transcript, if that was later',
  }),
  folder_id: id.nullable().default(null).meta({
    description: 'The folder that the rule is for; null: the whole organization',
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
      owner_ids: ids('Members'),
      folder_ids: ids('Folders'),
    })
    .prefault({})
    .meta({ description: 'What the rule does not apply to' }),
});

export const RETENTION = z
  .strictObject({
    notice_days: z.int().min(NOTICE.min).max(NOTICE.max).default(NOTICE.default).meta({
      description:
        'How many days in advance a removal is announced, and after how many a new or changed rule takes effect',
    }),
    rules: z
      .array(rule)
      .max(RETENTION_LIMITS.rules)
      .meta({ description: 'All rules. Where several are for a recording, the one that ends first counts' }),
  })
  .superRefine(({ rules }, context) => {
    for (const [index, one] of rules.entries()) {
      const refuse = (field: string, message: string): void =>
        context.addIssue({ code: 'custom', path: ['rules', index, field], message });
      if (one.days === 0 && !AT_ONCE.has(one.removes))
        refuse('days', 'must be at least 1, except for media and original');
      // Of two that differ only in their days, one would never count.
      const same = rules.findIndex((other) => isDeepStrictEqual({ ...other, days: one.days }, one));
      if (same < index) refuse('removes', `is already in rules[${same}], for the same recordings`);
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

  @EnumProperty('What is removed', { values: REMOVALS, name: 'Removal', example: 'media' })
  removes: Removal;

  @IntegerProperty('Days after which it is removed', { example: 90 })
  days: number;

  @EnumProperty('What the days are counted from', {
    values: COUNTED_FROM,
    name: 'CountedFrom',
    example: 'meeting',
  })
  counted_from: CountedFrom;

  @IdProperty('The folder that the rule is for; null: the whole organization', {
    nullable: true,
    example: null,
  })
  folder_id: string | null;

  @NestedProperty(() => RetentionExceptionsResponse, 'What the rule does not apply to')
  except: RetentionExceptionsResponse;

  @TimestampProperty('When the rule takes effect: `notice_days` after it was set')
  effective_at: string;
}

@ApiSchema({ name: 'Retention' })
export class RetentionResponse {
  @IntegerProperty('How many days in advance a removal is announced', { example: 14 })
  notice_days: number;

  @NestedProperty(() => [RetentionRuleResponse], 'All rules, in the order given')
  rules: readonly RetentionRuleResponse[];
}

export const presentRetentionRules = (terms: OrganizationRetention): RetentionResponse =>
  present(RetentionResponse, terms);

export class PreviewDto {
  @IntegerParameter('Days to look ahead', { ...PREVIEW, example: 30 })
  days: number = PREVIEW.default;
}

export class PreviewedRecording {
  @IdProperty('Identifier of the recording')
  id: string;

  @TextProperty('Title', { example: 'Weekly sync' })
  title: string;

  @TimestampProperty('When it is removed, in whole or in part')
  ends_at: string;

  @NestedProperty(() => AppliedRetentionRule, 'The rule that removes it')
  rule: AppliedRetentionRule;
}

export class RetentionPreview {
  @IntegerProperty('How many recordings are removed, in whole or in part', { example: 1 })
  total: number;

  @NestedProperty(() => [PreviewedRecording], `The first ${RETENTION_LIMITS.preview} of them to be removed`)
  recordings: readonly PreviewedRecording[];
}

export const presentPreview = (found: readonly FoundPreview[]): RetentionPreview =>
  present(RetentionPreview, { total: found[0]?.total ?? 0, recordings: found });
