import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { domainToASCII } from 'node:url';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import type { Repository } from 'typeorm';
import { invalid, required } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { readFile } from '../../../platform/http/bodies/sent-file.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { ConfinedParser, type ParserTask } from '../../../platform/work/confined-parser.service.js';
import { WorkLimitError } from '../../../platform/work/work-pool.service.js';
import type { Caller } from '../../../policy/caller.js';
import type { Manager } from '../../../policy/management.js';
import { Organization } from '../entities/organization.entity.js';
import { OrganizationTransactions } from '../organization-transactions.service.js';
import { OrganizationsService, type OrganizationDetails } from '../organizations.service.js';
import type { ParsedLogo } from './read-logo.task.js';

/** Not imported: only its process needs what it loads. */
const READ_LOGO: ParserTask<null> = { module: new URL('./read-logo.task.js', import.meta.url).href };

const HOST_NAME = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])$/;
const TOO_COSTLY = 'body: reading this image takes too much time or memory';
const DNS_MS = 5_000;
const READ_SECONDS = 10;

/** What share pages of organizations look like, and at which domains they are. */
@Injectable()
export class BrandingService {
  constructor(
    @InjectRepository(Organization) private readonly rows: Repository<Organization>,
    private readonly transactions: OrganizationTransactions,
    private readonly organizations: OrganizationsService,
    private readonly parser: ConfinedParser,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Replaces the logo by the image of a request, for an OWNER; others are refused before it is read. It is read in a
   * confined process, as images are made to break what decodes them.
   */
  async replaceLogo(caller: Caller, organizationId: string, request: Request): Promise<OrganizationDetails> {
    await this.transactions.own(caller, organizationId, async () => {});
    const { bytes } = await readFile(request, request.res!, LIMITS.logo.file);
    const parsed = await this.parser
      .run(READ_LOGO, bytes, null, { caller: caller.id, seconds: READ_SECONDS })
      .catch((error: unknown) => {
        throw error instanceof WorkLimitError ? invalid(TOO_COSTLY) : error;
      });
    const logo = JSON.parse(Buffer.from(parsed).toString()) as ParsedLogo;
    if ('mistake' in logo) throw invalid(`body: ${logo.mistake}`);
    return this.writeLogo(caller, organizationId, Buffer.from(logo.image, 'base64'));
  }

  /** Null removes it. */
  async writeLogo(who: Caller, organizationId: string, image: Buffer | null): Promise<OrganizationDetails> {
    return this.transactions.own(who, organizationId, async (manager, { id }) => {
      const logo = { brandingLogo: image && newId(), brandingImage: image };
      await manager.getRepository(Organization).update({ id }, logo);
      return this.organizations.get(who, id, manager);
    });
  }

  /** The WebP image of a version; 404 `NOT_FOUND` if no organization has it now. */
  async findLogo(brandingLogo: string): Promise<Buffer> {
    const query = { select: { id: true, brandingImage: true }, where: { brandingLogo } };
    const found = isUuid(brandingLogo) ? await this.rows.findOne(query) : null;
    return required(found?.brandingImage, 'NOT_FOUND');
  }

  /** Returns the domain as it is stored; 400 `VALIDATION_ERROR` unless DNS says that it is the organization's. */
  async requireDomain(who: Manager, organizationId: string, given: string): Promise<string> {
    const domain = domainToASCII(given);
    if (!HOST_NAME.test(domain) || domain === this.publicUrl.host)
      throw invalid("branding.domain: must be a host name such as meetings.example.com, not the service's");
    // Nobody else makes the service ask.
    const { id, brandingDomain } = await this.transactions.own(who, organizationId, (manager, own) =>
      manager.getRepository(Organization).findOneByOrFail({ id: own.id }),
    );
    const [name, value] = [`_meeting-recordings.${domain}`, `organization=${id}`];
    const missing = domain === brandingDomain ? null : await findMissing(name, value);
    if (missing === null) return domain;
    throw invalid(`branding.domain: first create the DNS record ${name} of type TXT: ${value} (${missing})`);
  }

  /** Whether a request came to the domain of an organization, where there are only share pages. */
  async isAskedAtDomain(request: Request): Promise<boolean> {
    const brandingDomain = this.publicUrl.otherHost(request);
    return brandingDomain !== null && this.rows.existsBy({ brandingDomain });
  }
}

/** Null if DNS has the TXT record; else what it has or says instead. */
function findMissing(name: string, value: string): Promise<string | null> {
  // The resolver of the process would keep answering from before the record was created.
  const resolver = new Resolver({ timeout: DNS_MS, tries: 1 });
  resolver.setServers(dns.getServers());
  return resolver.resolveTxt(name).then(
    (records) => (records.some((parts) => parts.join('') === value) ? null : 'it has another value now'),
    ({ code }: NodeJS.ErrnoException) => `DNS says ${code}`,
  );
}
