import type { ValueTransformer } from 'typeorm';

/** `pg` returns a bigint as text; no file size exceeds the safe integers. */
export const bytes: ValueTransformer = { from: Number, to: (value: number) => value };

export const nullableBytes: ValueTransformer = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};
