import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ExternalChanges, ExternalFields, ExternalProperties } from '../../../contract/external-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { BooleanField, BooleanParameter } from '../../../platform/http/fields/choice-fields.js';
import { IdsField } from '../../../platform/http/fields/list-fields.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { ListByNameDto } from './name-list.dto.js';
import { ApiSchema, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import {
  BooleanProperty,
  IdProperty,
  StringListProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { ListedFolderOfCaller } from '../folders.queries.js';
import { present } from '../../../contract/present.js';

const UNIQUE = 'in the organization';

export class CreateFolderDto extends ExternalFields(UNIQUE) {
  @TextField('Name, unique in the organization', { ...LIMITS.name, trim: true, example: 'Field tests' })
  name: string;

  @IdsField('Ids of the members it is restricted to; null: open to all members', {
    max: LIMITS.restrictedTo,
    optional: true,
    nullable: true,
    example: [EXAMPLE_IDS.member],
  })
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
export class UpdateFolderDto extends IntersectionType(
  PartialType(OmitType(CreateFolderDto, ['external_id', 'metadata']), { skipNullProperties: false }),
  ExternalChanges(UNIQUE),
) {
  @BooleanField('Recordings in an inactive folder are treated as being in no folder', {
    optional: true,
    example: true,
  })
  is_active?: boolean;
}

export const UPDATE_FOLDER_BODIES = {
  name: { summary: 'Rename it', value: { name: 'Clients' } },
  open: { summary: 'Open it to all members', value: { restricted_to: null } },
};

export class ListFoldersDto extends ListByNameDto {
  @BooleanParameter('Also lists inactive folders; `OWNER` and `ADMIN` only', {
    default: false,
    example: false,
  })
  all: boolean = false;
}

@ApiSchema({ name: 'Folder' })
export class ListedFolder extends ExternalProperties {
  @IdProperty('Identifier of the folder')
  id: string;

  @TextProperty('Name', { example: 'Board' })
  name: string;

  @BooleanProperty(
    'Whether it is active; recordings in an inactive folder are treated as being in no folder',
    { example: true },
  )
  is_active: boolean;

  @BooleanProperty('Whether it is restricted to certain members', { example: true })
  is_restricted: boolean;

  @StringListProperty(
    'Ids of the members it is restricted to, for `OWNER` and `ADMIN`; null if open to all members, or for other callers',
    { example: ['01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90'], nullable: true },
  )
  restricted_to: string[] | null;
}

export function presentFolder(folder: ListedFolderOfCaller): ListedFolder {
  const { active: isActive, restricted: isRestricted } = folder;
  const restrictedTo = isRestricted ? folder.restrictedTo : null;
  return present(ListedFolder, { ...folder, isActive, isRestricted, restrictedTo });
}
