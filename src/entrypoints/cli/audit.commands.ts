import { once } from 'node:events';
import {
  AuditVerificationService,
  type ChainReport,
} from '../../modules/audit/seals/audit-verification.service.js';
import { NO_ORGANIZATION } from '../../modules/audit/seals/seal.js';
import type { AuditProblem } from '../../modules/audit/seals/seal-checks.js';
import { isUuid } from '../../platform/ids.js';
import { counted } from '../../platform/text.js';
import { CommandError, EXIT, notFound } from './exit-status.js';
import type { Output } from './output.js';
import { withService } from './service.js';

interface VerifyOptions extends Output {
  readonly organization?: string;
  readonly expect?: string;
}

const PROBLEMS: Readonly<Record<AuditProblem['kind'], string>> = {
  row_missing: 'row is missing',
  row_changed: 'row was changed',
  row_inserted: 'row was inserted later',
  detail_changed: 'address or email of the row was changed',
  seal_missing: 'seal is missing',
  seal_changed: 'seal was changed',
  chain_broken: 'seal does not follow the one before',
};

/** `audit verify`. Prints each organization and each problem when it has been found, so that any number fits into memory. */
export async function verifyAuditLog(options: VerifyOptions): Promise<void> {
  const { organization, expect, json = false } = options;
  await withService(async (service) => {
    const verification = service.get(AuditVerificationService);
    let problems = 0;
    let chains = 0;
    let expectedIn: ChainReport | undefined;
    const check = async (chain: string) => {
      const report = await checkChain(verification, chain, options, chains === 0);
      problems += report.problems;
      chains += 1;
      if (report.expectedIn !== null) expectedIn = report;
    };
    const chosen = organization === undefined ? undefined : await chainOf(verification, organization);
    if (json) await write('{"organizations":[');
    if (chosen === undefined) await verification.forEachChain(check);
    else await check(chosen);
    const isExpected = expect === undefined || expectedIn !== undefined;
    const isFine = problems === 0 && isExpected;
    if (json) {
      const expected = expect === undefined ? null : { hash: expect, found: isExpected };
      await write(`],"problems":${problems},"expected":${JSON.stringify(expected)},"ok":${isFine}}\n`);
    } else if (expect !== undefined && expectedIn) {
      const { organizationId, expectedIn: seal } = expectedIn;
      await write(`${expect} is the hash of seal ${seal} of ${nameOf(organizationId)}.\n`);
    }
    if (!isFine) throw new CommandError(EXIT.failure, failure(problems, isExpected ? undefined : expect));
    if (!json) await write(`No problems found (organizations: ${chains}).\n`);
  });
}

async function checkChain(
  verification: AuditVerificationService,
  chain: string,
  { json = false, expect }: VerifyOptions,
  isFirst: boolean,
): Promise<ChainReport> {
  const id = chain === NO_ORGANIZATION ? null : chain;
  let printed = 0;
  if (json) await write(`${isFirst ? '' : ','}{"organization_id":${JSON.stringify(id)},"problems":[`);
  const onProblem = async (problem: AuditProblem) => {
    await write(
      json ? `${printed > 0 ? ',' : ''}${JSON.stringify(problem)}` : `${problemLine(id, problem)}\n`,
    );
    printed += 1;
  };
  const report = await verification.check(chain, { onProblem, expect });
  const { rows, seals, unsealed, erased, dropped, lastHash, lastSealedAt } = report;
  const counts = {
    rows,
    seals,
    unsealed,
    erased,
    dropped,
    last_hash: lastHash,
    last_sealed_at: lastSealedAt,
  };
  await write(json ? `],${JSON.stringify(counts).slice(1)}` : `${chainLine(report)}\n`);
  return report;
}

async function chainOf(verification: AuditVerificationService, given: string): Promise<string> {
  const chain = given === 'none' ? NO_ORGANIZATION : given.toLowerCase();
  if (isUuid(chain) && (await verification.exists(chain))) return chain;
  throw notFound(`--organization: there is no organization "${given}", and there was none`);
}

const nameOf = (id: string | null): string => id ?? 'no organization';

function chainLine(report: ChainReport): string {
  const { organizationId, rows, seals, unsealed, erased, dropped, problems, lastHash } = report;
  const counts = [
    `rows: ${rows}`,
    `seals: ${seals}`,
    `not sealed yet: ${unsealed}`,
    `erased details: ${erased}`,
    `dropped: ${dropped}`,
    `problems: ${problems}`,
  ];
  return `${nameOf(organizationId)}  ${counts.join(', ')}, last hash: ${lastHash ?? 'none'}`;
}

function problemLine(organizationId: string | null, { kind, id, at, seal }: AuditProblem): string {
  const parts = [
    `${nameOf(organizationId)}: ${PROBLEMS[kind]}`,
    ...(id === null ? [] : [`id ${id}`]),
    ...(at === null ? [] : [at.toISOString()]),
    seal === null ? 'in no seal' : `seal ${seal}`,
  ];
  return parts.join(', ');
}

function failure(problems: number, missing: string | undefined): string {
  const lines = [
    ...(problems === 0 ? [] : [`Found ${counted(problems, 'problem')}.`]),
    ...(missing === undefined
      ? []
      : [`No seal has the hash ${missing}: the log it was taken from is another one, or was rewritten.`]),
  ];
  return lines.join('\n');
}

/** Waits for a slow terminal or pipe, so that what is not printed yet does not pile up. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
