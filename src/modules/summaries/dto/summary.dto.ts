import { ChoiceField } from '../../../platform/http/fields.js';
import { SUMMARY_FORMATS, type SummaryFormat } from '../summary-formats.js';

export class ReadSummaryDto {
  @ChoiceField({
    values: SUMMARY_FORMATS,
    optional: true,
    description:
      'The summary as a file; the header `Accept: text/markdown` asks for the same. `json` is what PUT takes back',
    example: 'md',
  })
  format?: SummaryFormat;
}
