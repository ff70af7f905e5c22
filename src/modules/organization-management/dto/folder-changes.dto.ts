import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { BooleanField, IdsField, TextField } from '../../../platform/http/fields.js';
import { AtLeastOneField } from '../../../platform/http/request-field.js';

const NAME = {
  ...LIMITS.name,
  trim: true,
  description: 'Name, unique in the organization',
  example: 'Field tests',
};

const RESTRICTED_TO = {
  max: LIMITS.restrictedTo,
  optional: true,
  nullable: true,
  description: 'Ids of the members it is restricted to; null: open to all members',
  example: [EXAMPLE_IDS.member],
};

export class CreateFolderDto {
  @TextField(NAME)
  name: string;

  @IdsField(RESTRICTED_TO)
  restricted_to?: string[] | null;
}

export const CREATE_FOLDER_BODIES = {
  open: { summary: 'Open to all members', value: { name: 'Field tests' } },
  restricted: {
    summary: 'Restricted to some',
    value: { name: 'Management', restricted_to: [EXAMPLE_IDS.member] },
  },
};

@AtLeastOneField()
export class UpdateFolderDto {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @IdsField(RESTRICTED_TO)
  restricted_to?: string[] | null;

  @BooleanField({
    optional: true,
    description: 'Recordings in an inactive folder are treated as being in no folder',
    example: true,
  })
  is_active?: boolean;
}

export const UPDATE_FOLDER_BODIES = {
  name: { summary: 'Rename it', value: { name: 'Clients' } },
  open: { summary: 'Open it to all members', value: { restricted_to: null } },
};
