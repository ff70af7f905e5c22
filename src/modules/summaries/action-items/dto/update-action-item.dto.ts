import { LIMITS } from '../../../../contract/limits.js';
import { BooleanField } from '../../../../platform/http/fields/choice-fields.js';
import { AtLeastOneField } from '../../../../platform/http/fields/request-field.js';
import { TextField } from '../../../../platform/http/fields/text-fields.js';
import { DateField } from '../../../../platform/http/fields/time-fields.js';

@AtLeastOneField()
export class UpdateActionItemDto {
  @BooleanField('Whether it has been done', { optional: true, example: true })
  done?: boolean;

  @TextField('What is to be done', {
    ...LIMITS.finding,
    trim: true,
    optional: true,
    example: 'Test the backup of the cluster',
  })
  text?: string;

  @TextField('Who is to do it; null: nobody in particular', {
    ...LIMITS.actionItemDetail,
    trim: true,
    optional: true,
    nullable: true,
    example: 'Grace',
  })
  owner?: string | null;

  @TextField('When it is due, in any words; null: not known', {
    ...LIMITS.actionItemDetail,
    trim: true,
    optional: true,
    nullable: true,
    example: 'by Thursday',
  })
  due?: string | null;

  @DateField('The day; null: not known. If it is missing, it follows from `due`, where that is clear', {
    optional: true,
    nullable: true,
    example: '2026-02-12',
  })
  dueDate?: string | null;
}

export const UPDATE_ACTION_ITEM_BODIES = {
  done: { summary: 'It is done', value: { done: true } },
  owner: { summary: 'Somebody else does it', value: { owner: 'Grace', due: 'by Thursday' } },
};
