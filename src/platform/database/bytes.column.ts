import type { ValueTransformer } from 'typeorm';

/** `pg` gives a bigint as text; no file has more bytes than a number can count. */
export const bytes: ValueTransformer = { from: Number, to: (value: number) => value };

export const nullableBytes: ValueTransformer = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};
