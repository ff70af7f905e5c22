import { LIMITS } from '../../../contract/limits.js';
import { z } from '../../../lib/zod.js';

const id = (noun: string, tools: string) =>
  z
    .uuid({ error: `must be the id of ${noun}, as ${tools} returns it` })
    .describe(`Id of ${noun}, from ${tools}`);

/** Arguments that several tools take. */
export const RECORDING_ID = id('a recording', 'list_recordings or search_recordings');
export const ORGANIZATION_ID = id('an organization', 'list_organizations');
export const FOLDER_ID = id('a folder', 'list_folders');

/** Recordings of one organization, or of one of its folders. */
export const PLACE = {
  organization_id: ORGANIZATION_ID.describe('Only recordings of this organization').optional(),
  folder_id: FOLDER_ID.describe('Only recordings in this folder; needs organization_id').optional(),
};

export const text = (limits: { readonly min: number; readonly max: number }, what: string) =>
  z.string().trim().min(limits.min).max(limits.max).describe(what);

export const SPEAKER = text(
  LIMITS.speaker,
  'Only what speakers with this name said; part of the name is enough',
);

export const CURSOR = z
  .string()
  .max(100)
  .optional()
  .describe('next_cursor of the previous call, with the same other arguments');
