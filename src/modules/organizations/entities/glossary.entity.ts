import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { GlossaryTerm } from '../../../lib/language/glossary.js';
import { Organization } from './organization.entity.js';

/** The names and terms of an organization that has given some. */
@Entity('glossaries')
export class Glossary {
  @ForeignKey(() => Organization, { name: 'glossaries_organization_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'glossaries_pkey' })
  organizationId: string;

  @Column('json')
  terms: GlossaryTerm[];
}
