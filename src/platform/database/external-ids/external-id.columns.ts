import { Column } from 'typeorm';

/** An id that callers give it. Indexes that decorators cannot express keep it unique where it has to be. */
export const ExternalIdColumn = (): PropertyDecorator =>
  Column('text', { name: 'external_id', nullable: true });

/** Texts that callers keep with it, by key. */
export const MetadataColumn = (): PropertyDecorator => Column('jsonb', { default: {} });
