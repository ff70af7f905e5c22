import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './document-parts.js';

interface ErrorReply {
  readonly content: { readonly 'application/json': { examples: Record<string, object> } };
}

interface Operation {
  parameters?: { readonly in: string; readonly name: string }[];
  responses: Record<string, object>;
}

/**
 * Moves error replies (named after their codes), their examples and header parameters to `components`, in place, and
 * refers to them: each is written once, however many operations have it.
 */
export function shareComponents(document: OpenAPIObject): void {
  const shared = { responses: {}, examples: {}, parameters: {} };
  const share = (kind: keyof typeof shared, name: string, value: object) => {
    Object.assign(shared[kind], { [name]: value });
    return { $ref: `#/components/${kind}/${name}` };
  };
  for (const { parameters = [], responses } of operationsOf<Operation>(document)) {
    for (const [at, parameter] of parameters.entries())
      if (parameter.in === 'header')
        Object.assign(parameters, { [at]: share('parameters', parameter.name, parameter) });
    for (const [status, reply] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const json = (reply as ErrorReply).content['application/json'];
      const codes = Object.keys(json.examples);
      for (const code of codes) json.examples[code] = share('examples', code, json.examples[code] ?? {});
      responses[status] = share('responses', codes.join('.'), reply);
    }
  }
  document.components = { ...document.components, ...shared };
}
