import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { GlossaryTerm } from '../../lib/language/glossary.js';
import type { Caller } from '../../policy/caller.js';
import { Glossary } from './entities/glossary.entity.js';
import { OrganizationTransactions } from './organization-transactions.service.js';
import { OrganizationsService } from './organizations.service.js';

/** The names and terms of an organization, by which its transcripts and summaries spell them. */
@Injectable()
export class GlossaryService {
  constructor(
    @InjectRepository(Glossary) private readonly glossaries: Repository<Glossary>,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
  ) {}

  /** For members: 404 `ORGANIZATION_NOT_FOUND` or 403 `FORBIDDEN` for others. */
  async get(caller: Caller, organizationId: string): Promise<readonly GlossaryTerm[]> {
    await this.organizations.requireMember(caller, organizationId);
    const glossary = await this.glossaries.findOneBy({ organizationId });
    return glossary?.terms ?? [];
  }

  /** Replaces all terms. For an OWNER or ADMIN: 403 `FORBIDDEN` for other members. */
  async replace(
    caller: Caller,
    organizationId: string,
    terms: readonly GlossaryTerm[],
  ): Promise<readonly GlossaryTerm[]> {
    return this.transactions.manage(caller, organizationId, async (manager, { id }) => {
      await manager
        .getRepository(Glossary)
        .upsert({ organizationId: id, terms: [...terms] }, ['organizationId']);
      return terms;
    });
  }
}
