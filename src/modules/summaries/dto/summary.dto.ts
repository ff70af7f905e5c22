import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { mediaType, type FileFormat } from '../../../platform/http/replies/text-file.js';

const SUMMARY_FORMATS = ['md', 'json'] as const;
export type SummaryFormat = (typeof SUMMARY_FORMATS)[number];

export const SUMMARY_FILES: Readonly<Record<SummaryFormat, FileFormat>> = {
  md: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
};

export const SUMMARY_MEDIA_TYPES = [mediaType(SUMMARY_FILES.md)];

export class ReadSummaryDto {
  @ChoiceField(
    'Returns the summary as a file; the header `Accept: text/markdown` does the same. `PUT` accepts the `json` file',
    { values: SUMMARY_FORMATS, name: 'SummaryFormat', optional: true, example: 'md' },
  )
  format?: SummaryFormat;
}
