import { z } from '../../../platform/zod.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { lookupIds, objectOf, trimmedText } from '../../../platform/http/body-schemas.js';

const name = trimmedText(LIMITS.name).meta({ description: 'Name, unique in the organization' });

const restrictedTo = lookupIds(LIMITS.restrictedTo)
  .nullable()
  .optional()
  .meta({ description: 'Ids of the members it is restricted to; null: open to all members' });

const UPDATE_FIELDS = ['name', 'restricted_to', 'is_active'] as const;

export const CREATE_FOLDER = z
  .strictObject({ name, restricted_to: restrictedTo }, { error: objectOf(['name', 'restricted_to']) })
  .meta({ title: 'CreateFolderRequest' });
export type CreateFolder = z.output<typeof CREATE_FOLDER>;

export const CREATE_FOLDER_BODIES = {
  open: { summary: 'Open to all members', value: { name: 'Field tests' } },
  restricted: {
    summary: 'Restricted to some',
    value: { name: 'Management', restricted_to: [EXAMPLE_IDS.member] },
  },
};

export const UPDATE_FOLDER = z
  .strictObject(
    {
      name: name.optional(),
      restricted_to: restrictedTo,
      is_active: z.boolean({ error: 'must be true or false' }).optional().meta({
        description: 'Recordings in an inactive folder are treated as being in no folder',
      }),
    },
    { error: objectOf(UPDATE_FIELDS) },
  )
  .refine((given) => Object.keys(given).length > 0, {
    error: `must have at least one of ${UPDATE_FIELDS.join(', ')}`,
  })
  .meta({ title: 'UpdateFolderRequest' });
export type UpdateFolder = z.output<typeof UPDATE_FOLDER>;

export const UPDATE_FOLDER_BODIES = {
  name: { summary: 'Rename it', value: { name: 'Clients' } },
  open: { summary: 'Open it to all members', value: { restricted_to: null } },
};
