import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { GlossaryTerm } from '../../../lib/language/glossary.js';
import { Organization } from './organization.entity.js';

/** The names and terms of an organization that has given some. */
@Entity('glossaries')
export class Glossary {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'glossaries_pkey' })
  organizationId: string;

  @OneToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'glossaries_organization_id_fkey' })
  organization?: Relation<Organization>;

  @Column('json')
  terms: GlossaryTerm[];
}
