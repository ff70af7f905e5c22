import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { SCOPES, type Scope } from './scopes.js';

export const REQUIRED_SCOPES = Symbol('REQUIRED_SCOPES');

/** What an operation requires of an API key: a scope, or several that it needs together. */
export type RequiredScopes = Scope | readonly [Scope, ...Scope[]];

export const scopesOf = (required: RequiredScopes): readonly Scope[] =>
  typeof required === 'string' ? [required] : required;

/** Sets the scopes that the guard requires of the API key, and documents them. */
export const RequiresScopes = (required: RequiredScopes): MethodDecorator =>
  applyDecorators(
    SetMetadata(REQUIRED_SCOPES, scopesOf(required)),
    ApiSecurity('bearer', [...scopesOf(required)]),
  );

/** Lets every valid API key pass: what is done needs scopes of its own. */
export const AnyScope = (): MethodDecorator => SetMetadata(REQUIRED_SCOPES, []);

/** Names the scopes, to follow the description of an operation. */
export function describeScopes(required: RequiredScopes): string {
  const names = scopesOf(required).map((name) => `\`${name}\``);
  return `Scope${names.length > 1 ? 's' : ''} of the API key: ${names.join(', ')}.`;
}

export const SCOPE_LIST = Object.entries(SCOPES)
  .map(([name, permits]) => `- \`${name}\`: ${permits}`)
  .join('\n');
