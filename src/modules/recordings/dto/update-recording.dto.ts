import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import { Alongside, AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { ExternalChanges } from '../../../contract/external-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { REPORTABLE_STATUSES, type ReportableStatus } from '../../../policy/recording-status.js';

@AtLeastOneField()
export class UpdateRecordingDto extends ExternalChanges(
  'in its organization, or among the personal recordings of its owner',
) {
  @TextField('New title', {
    ...LIMITS.title,
    trim: true,
    optional: true,
    example: 'Weekly sync, 3 March',
  })
  title?: string;

  @TextField(
    'New notes; empty to clear them. Rejected where the notes cannot be read, such as when the recording is locked',
    { ...LIMITS.notes, optional: true, example: 'Follow up on the pricing page.' },
  )
  notes?: string;

  @ChoiceField('Status of a client that records elsewhere. `ERROR` ends the upload', {
    values: REPORTABLE_STATUSES,
    name: 'ReportableStatus',
    optional: true,
    example: 'RECORDING',
  })
  status?: ReportableStatus;

  @IdParameter(
    'Organization to move it to; the caller must be able to create recordings there, and to move it out of where it is. null makes it personal again (owner only). Its share links are deleted, and it leaves its folder unless `folder_id` is sent too',
    { optional: true, nullable: true, example: EXAMPLE_IDS.organization },
  )
  organization_id?: string | null;

  @Alongside<UpdateRecordingDto>(({ organization_id, folder_id }) =>
    organization_id === null && folder_id ? 'personal recordings cannot be in a folder' : null,
  )
  @IdParameter('Active folder of its organization to move it to; null removes it from its folder', {
    optional: true,
    nullable: true,
    example: EXAMPLE_IDS.folder,
  })
  folder_id?: string | null;
}

/** Swagger UI fills in the first example. */
export const UPDATE_RECORDING_BODIES = {
  title: { summary: 'Change the title', value: { title: 'Weekly sync, 3 March' } },
  notes: { summary: 'Change the notes', value: { notes: 'Follow up on the pricing page.' } },
  metadata: {
    summary: 'Keep an id and texts of your own with it',
    value: { external_id: 'CRM-4711', metadata: { crm: '4711', draft: null } },
  },
  folder: { summary: 'Move it to a folder', value: { folder_id: EXAMPLE_IDS.folder } },
  status: { summary: 'Report the status of a client that records elsewhere', value: { status: 'RECORDING' } },
};
