import { LIMITS } from '../../../contract/limits.js';
import { glossaryKey, type GlossaryTerm as Term } from '../../../lib/language/glossary.js';
import { asLine, isLine } from '../../../lib/text.js';
import { z } from '../../../lib/zod.js';
import { ApiSchema } from '@nestjs/swagger';
import {
  NestedProperty,
  StringListProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';

const { max } = LIMITS.glossaryTerm;

const words = z
  .string({ error: 'must be text' })
  .transform(asLine)
  .refine((value) => isLine(value, { max }) && glossaryKey(value) !== '', {
    error: `must be text of 1 to ${max} characters, with a letter or a digit`,
  });

const glossaryTerm = z.strictObject({
  term: words.meta({ description: 'The name or term as it is spelled', example: 'LambdaClass' }),
  heard_as: z
    .array(words, { error: 'must be a list' })
    .max(LIMITS.glossaryHeardAs, { error: `must contain at most ${LIMITS.glossaryHeardAs} items` })
    .default([])
    .meta({ description: 'What recognizers write instead', example: ['lambda glass'] }),
});

/** What is heard stands for one term only. */
export const GLOSSARY = z
  .strictObject({
    terms: z
      .array(glossaryTerm, { error: 'must be a list' })
      .max(LIMITS.glossaryTerms, { error: `must contain at most ${LIMITS.glossaryTerms} terms` }),
  })
  .superRefine(({ terms }, context) => {
    const owners = new Map<string, number>();
    const claim = (text: string, owner: number, path: (string | number)[]): void => {
      const key = glossaryKey(text);
      const other = owners.get(key);
      const message = `has the same letters as terms[${other}] or what is heard instead of it`;
      if (other !== undefined && other !== owner) context.addIssue({ code: 'custom', path, message });
      owners.set(key, owner);
    };
    for (const [index, { term: text }] of terms.entries()) claim(text, index, ['terms', index, 'term']);
    for (const [index, { heard_as: heard }] of terms.entries())
      for (const [at, text] of heard.entries()) claim(text, index, ['terms', index, 'heard_as', at]);
  })
  .meta({ title: 'GlossaryRequest' });

export type GivenGlossary = z.output<typeof GLOSSARY>;

export const GLOSSARY_BODIES = {
  terms: {
    summary: 'Names and terms',
    value: {
      terms: [
        { term: 'LambdaClass', heard_as: ['lambda glass'] },
        { term: 'Jörg Müller', heard_as: ['york miller'] },
      ],
    },
  },
};

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
