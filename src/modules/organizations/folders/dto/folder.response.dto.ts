import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  IdProperty,
  StringListProperty,
  TextProperty,
} from '../../../../platform/openapi/field.decorator.js';
import type { ListedFolderOfCaller } from '../folders.queries.js';
import { present } from '../../../../contract/present.js';

@ApiSchema({ name: 'Folder' })
export class ListedFolder {
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
