import { ApiSchema } from '@nestjs/swagger';
import type { GlossaryTerm as Term } from '../../../../lib/language/glossary.js';
import {
  NestedProperty,
  StringListProperty,
  TextProperty,
} from '../../../../platform/openapi/field.decorator.js';

export class GlossaryTerm {
  @TextProperty('The name or term as it is spelled', { example: 'LambdaClass' })
  term: string;

  @StringListProperty('What recognizers write instead', { example: ['lambda glass'] })
  heard_as: string[];
}

@ApiSchema({ name: 'Glossary' })
export class GlossaryResponse {
  @NestedProperty(() => [GlossaryTerm], 'Names and terms, in the order in which they were given')
  terms: GlossaryTerm[];
}

export const presentGlossary = (terms: readonly Term[]): GlossaryResponse => ({
  terms: terms.map(({ term, heard_as: heard }) => ({ term, heard_as: [...heard] })),
});
