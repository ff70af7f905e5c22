import { readFile } from 'node:fs/promises';
import { canonicalHash } from '../../../lib/canonical-json.js';
import { z } from '../../../lib/zod.js';
import { findSealOf, type Receipt } from '../../../modules/audit/seals/receipt-proof.js';
import { checkChain, findChains, type ChainReport } from '../../../modules/audit/seals/audit-verification.js';
import { NO_ORGANIZATION } from '../../../modules/audit/seals/seal.js';
import type { AuditProblem } from '../../../modules/audit/seals/seal-checks.js';
import { isUuid } from '../../../platform/ids.js';
import { counted, singleLine } from '../../../lib/text.js';
import { failed, notFound, usageError, type CommandError } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { withDatabase } from '../host.js';

const RECEIPT = z.looseObject({ id: z.uuid(), organization_id: z.uuid().nullable(), hash: z.string() });
const UNPROVED =
  'No sealed row of the audit log has the hash of the receipt: it is less than a minute old, of another service, made up, or older than AUDIT_DAYS.';

const PROBLEMS: Readonly<Record<AuditProblem['kind'], string>> = {
  row_missing: 'row is missing',
  row_changed: 'row was changed',
  row_inserted: 'row was inserted later',
  detail_changed: 'address, client or email of the row was changed',
  seal_missing: 'seal is missing',
  seal_changed: 'seal was changed',
  chain_broken: 'seal does not follow the one before',
};

export async function verifyAuditLog(
  options: Output & { organization?: string; expect?: string; receipt?: string },
): Promise<void> {
  const { expect } = options;
  const receipt = options.receipt === undefined ? null : await readReceipt(options.receipt);
  const organization = receipt ? (receipt.organization_id ?? 'none') : options.organization;
  await withDatabase(async ({ settings: { auditDays }, url }) => {
    const chains = organization === undefined ? await findChains(url) : [chainOf(organization)];
    const reports: ChainReport[] = [];
    for (const chain of chains) reports.push(await checkChain(url, chain, { auditDays, expect }));
    if (organization !== undefined && reports.every(isEmpty)) throw noOrganization(organization);
    const problems = reports.reduce((sum, report) => sum + report.problems.length, 0);
    const holder = reports.find(({ expectedIn }) => expectedIn !== null);
    const expected = expect === undefined ? null : { hash: expect, found: holder !== undefined };
    const proof = receipt && { hash: receipt.hash, seal: await findSealOf(url, receipt) };
    const ok = problems === 0 && expected?.found !== false && proof?.seal !== null;
    const lines = reports.flatMap((report) => [
      ...report.problems.map((problem) => problemLine(report, problem)),
      chainLine(report),
    ]);
    if (holder) lines.push(`${expect} is the hash of seal ${holder.expectedIn} of ${nameOf(holder)}.`);
    if (proof?.seal) lines.push(`The receipt is genuine: seal ${proof.seal} covers its hash.`);
    if (ok) lines.push(`No problems found (organizations: ${chains.length}).`);
    const report = { organizations: reports.map(presentChain), problems, expected, receipt: proof, ok };
    print(options, report, lines.join('\n'));
    const unproved = proof?.seal === null ? [UNPROVED] : [];
    if (!ok) throw failed([...failures(problems, holder ? undefined : expect), ...unproved].join('\n'));
  });
}

/** Reads the receipt of an erasure. Refuses one whose content is not what was hashed. */
async function readReceipt(path: string): Promise<Receipt> {
  let receipt: Receipt | undefined;
  try {
    receipt = RECEIPT.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw usageError(`--receipt: ${path} is not the receipt of an erasure: ${(error as Error).message}`);
  }
  const hash = canonicalHash({ ...receipt, hash: undefined });
  if (hash === receipt.hash) return receipt;
  throw failed(`--receipt: the receipt was changed: its content has the hash ${hash}.`);
}

function presentChain(report: ChainReport): object {
  const { organizationId, organizationName, lastHash, lastSealedAt, expectedIn: _, ...found } = report;
  const organization = { organization_id: organizationId, organization_name: organizationName };
  return { ...organization, ...found, last_hash: lastHash, last_sealed_at: lastSealedAt };
}

function chainOf(given: string): string {
  if (given === 'none') return NO_ORGANIZATION;
  if (!isUuid(given)) throw noOrganization(given);
  return given.toLowerCase();
}

/** An organization has rows from the beginning, and seals when these have been dropped. */
const isEmpty = ({ organizationId, seals, unsealed, problems }: ChainReport): boolean =>
  organizationId !== null && seals + unsealed + problems.length === 0;

const noOrganization = (given: string): CommandError =>
  notFound(`--organization: there is no organization with the id "${given}", and never was (orgs list)`);

const nameOf = ({ organizationId, organizationName }: ChainReport): string => {
  const name = organizationName === null ? '' : ` (${singleLine(organizationName)})`;
  return organizationId === null ? 'no organization' : organizationId + name;
};

function chainLine(report: ChainReport): string {
  const { rows, seals, unsealed, erased, dropped, problems, lastHash } = report;
  const kept = `rows: ${rows}, seals: ${seals}, not sealed yet: ${unsealed}`;
  const others = `erased details: ${erased}, dropped: ${dropped}, problems: ${problems.length}`;
  return `${nameOf(report)}  ${kept}, ${others}, last hash: ${lastHash ?? 'none'}`;
}

function problemLine(report: ChainReport, { kind, id, at, seal }: AuditProblem): string {
  const row = id === null ? '' : `, id ${id}`;
  const time = at === null ? '' : `, ${at.toISOString()}`;
  const place = seal === null ? 'in no seal' : `seal ${seal}`;
  return `${nameOf(report)}: ${PROBLEMS[kind]}${row}${time}, ${place}`;
}

function failures(problems: number, missing: string | undefined): string[] {
  const lines = problems === 0 ? [] : [`Found ${counted(problems, 'problem')}.`];
  if (missing !== undefined)
    lines.push(
      `No seal has the hash ${missing}: the log it was taken from is another one, or was rewritten.`,
    );
  return lines;
}
