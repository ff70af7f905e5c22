import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, ValidateIf, type ValidationArguments, type ValidationOptions } from 'class-validator';

/** What every decorator of a request field takes. */
export interface FieldOptions {
  readonly description: string;
  readonly example: string | number | boolean;
  readonly optional?: boolean;
  /** Also accepts null. */
  readonly nullable?: boolean;
}

interface FieldRule extends FieldOptions {
  /** What the field accepts, as worded in the error message: "must be ...". */
  readonly expects: string;
  readonly schema: ApiPropertyOptions;
  /** Why a value that is not accepted probably is not, if that is clear. */
  readonly cause?: (value: unknown) => string | null;
  /** Run in order; only the first failure is reported. All share one message. */
  readonly checks: (message: ValidationOptions) => readonly PropertyDecorator[];
}

export function requestField(rule: FieldRule): PropertyDecorator {
  const { description, example, optional, nullable, schema, checks } = rule;
  const expects = nullable ? `${rule.expects}, or null` : rule.expects;
  const message = ({ value }: ValidationArguments): string => {
    if (value === undefined) return `is required and ${expects}`;
    const cause = rule.cause?.(value) ?? null;
    return cause === null ? expects : `${expects}; ${cause}`;
  };
  return applyDecorators(
    ApiProperty({
      description,
      example,
      required: !optional,
      ...(nullable ? { nullable } : {}),
      ...schema,
    } as ApiPropertyOptions),
    ...exceptions(optional, nullable),
    ...checks({ message }),
  );
}

/** Values accepted without a check. */
function exceptions(optional = false, nullable = false): PropertyDecorator[] {
  if (optional && nullable) return [IsOptional()];
  // Not `IsOptional`, which also accepts null.
  if (optional) return [ValidateIf((_, value) => value !== undefined)];
  return nullable ? [ValidateIf((_, value) => value !== null)] : [];
}
