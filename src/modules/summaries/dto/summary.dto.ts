import { ChoiceField } from '../../../platform/http/fields.js';
import { SUMMARY_FORMATS, type SummaryFormat } from '../summary-formats.js';

export class ReadSummaryDto {
  @ChoiceField({
    values: SUMMARY_FORMATS,
    name: 'SummaryFormat',
    optional: true,
    description:
      'Returns the summary as a file; the header `Accept: text/markdown` does the same. `PUT` accepts the `json` file',
    example: 'md',
  })
  format?: SummaryFormat;
}
