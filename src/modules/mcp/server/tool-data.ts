import type { Schemas } from 'meeting-recording-client';
import { clockTime } from '../../../lib/clock-time.js';
import { singleLine } from '../../../lib/text.js';
import { z } from '../../../lib/zod.js';
import { MOMENT_URL, momentUrl } from './share-urls.js';

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Rest>}`
  : '';

const WITH_UNIT = { start: 'start_seconds', duration: 'duration_seconds' } as const;

type ToolName<Name extends string> = Name extends keyof typeof WITH_UNIT
  ? (typeof WITH_UNIT)[Name]
  : SnakeCase<Name>;

/** A reply of the API as tools return it. What has a start has the URL of that moment, too. */
type ToolData<Value> = Value extends (infer Item)[]
  ? ToolData<Item>[]
  : Value extends object
    ? { [Name in keyof Value & string as ToolName<Name>]: ToolData<Value[Name]> } & { url: string | null }
    : Value;

/** Names the fields of a reply as tools do. The schema of a tool drops those that it does not have. */
export function toolData<Value>(value: Value, shareUrl: string | null | undefined = null): ToolData<Value> {
  return renamed(value, shareUrl) as ToolData<Value>;
}

function renamed(value: unknown, shareUrl: string | null | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, shareUrl));
  if (typeof value !== 'object' || value === null) return value;
  const { start } = value as { readonly start?: number | null };
  const fields = Object.entries(value).map(([name, field]) => [nameOf(name), renamed(field, shareUrl)]);
  return {
    ...Object.fromEntries(fields),
    url: typeof start === 'number' ? momentUrl(shareUrl, start) : null,
  };
}

const nameOf = (name: string): string =>
  Object.hasOwn(WITH_UNIT, name)
    ? WITH_UNIT[name as keyof typeof WITH_UNIT]
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A moment of a recording, as tools return it. */
export const MOMENT = z.object({ start_seconds: z.number().nullable(), url: MOMENT_URL });

/** A recording in a list, as tools return it. */
export const LISTED = z.object({
  recording_id: z.string(),
  title: z.string(),
  status: z.string().describe('It can be played in MIGRATING and COMPLETED'),
  created_at: z.string(),
  duration_seconds: z.number().nullable(),
  owner: z.string().nullable().describe('Name of the user who recorded it'),
  organization_id: z.string().nullable().describe('Null: personal'),
  folder_id: z.string().nullable(),
});

export const listed = <Item extends Schemas['RecordingListItem'] | Schemas['RecordingDetail']>(
  item: Item,
) => ({
  ...toolData(item),
  recording_id: item.id,
  owner: item.owner?.name ?? null,
});

export const CONFIDENCE = z
  .number()
  .nullable()
  .describe('Probability, 0 to 1, that people who were there would note it; null: not estimated');

/** An action item, as tools return it. */
export const ACTION_ITEM = z.object({
  action_item_id: z.string(),
  text: z.string(),
  owner: z.string().nullable().describe('Null: nobody was named'),
  due: z.string().nullable().describe('As it was said; null: it was not'),
  due_date: z.string().nullable().describe('The day that due means; null: not clear'),
  confidence: CONFIDENCE,
  done: z.boolean(),
  ...MOMENT.shape,
});

export const actionItem = (item: Schemas['ActionItem'], shareUrl: string | null | undefined) => ({
  ...toolData(item, shareUrl),
  action_item_id: item.id,
});

/** ` [0:10]`, or nothing where the moment is not known. */
export const stamp = (seconds: number | null): string => (seconds === null ? '' : ` [${clockTime(seconds)}]`);

/** A URL after a text, or nothing. */
export const link = (url: string | null): string => (url === null ? '' : ` ${url}`);

export function actionItemLine(item: z.output<typeof ACTION_ITEM>): string {
  const owner = item.owner === null ? '' : `${singleLine(item.owner)}: `;
  const when = [item.due, item.due_date].filter((part) => part !== null).map(singleLine);
  const due = when.length === 0 ? '' : ` (due: ${when.join(', ')})`;
  return `- [${item.done ? 'x' : ' '}]${stamp(item.start_seconds)} ${owner}${singleLine(item.text)}${due}${link(item.url)} action_item_id ${item.action_item_id}`;
}
