import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { statedNumbers } from '../../scripts/lint/stated-limits.js';
import { CHECKSUM, API_KEY_LENGTH } from '../../src/contract/api-key-format.js';
import { EXTERNAL_LIMITS } from '../../src/contract/external-ids.js';
import { LIMITS, SEGMENTS_PER_CHUNK } from '../../src/contract/limits.js';
import { MCP_LIMITS } from '../../src/modules/mcp/mcp-limits.js';
import { BROWSER_TOKEN_LIMITS as TOKENS } from '../../src/modules/browser-tokens/browser-token-limits.js';
import { LIFETIMES } from '../../src/modules/oauth/oauth-limits.js';
import { DIRECTORY_LIMITS } from '../../src/modules/directory/directory-limits.js';
import { countText, rangeText, sizeText } from '../../src/lib/amounts.js';
import { DAY_S, MINUTE_S } from '../../src/lib/durations.js';
import { BUDGETS } from '../../src/platform/config/budgets.js';
import { BODY_LIMITS, IDEMPOTENCY_LIMITS, REQUEST_ID } from '../../src/platform/http-limits.js';

const EVENTS = `${LIMITS.eventDays} days`;
const TOKEN_MINUTES = LIFETIMES.accessToken / MINUTE_S;
const REFRESH_DAYS = LIFETIMES.refreshToken / DAY_S;
const FILE = sizeText(LIMITS.transcriptFile);
const { session, webhookRetries, sharePasswordTries } = LIMITS;
const retryDays = Math.floor(webhookRetries.reduce((sum, seconds) => sum + seconds, 0) / DAY_S);
const charactersOf = (range: { readonly min?: number; readonly max: number }): string =>
  `${rangeText(range)} characters`;

/** Every limit that a document states, as it has to state it. */
const STATED: Readonly<Record<string, readonly string[]>> = {
  agents: [`at most ${MCP_LIMITS.batch} messages`],
  'api-guide': [
    `(at most ${LIMITS.apiKeyOverlap.max / DAY_S} days)`,
    `${EXTERNAL_LIMITS.keys} keys of ${EXTERNAL_LIMITS.key.max} characters with values of ${EXTERNAL_LIMITS.value.max}`,
    `For ${IDEMPOTENCY_LIMITS.keptHours} hours, the same request`,
    `${countText(BUDGETS.user.perMinute)} requests a minute, and ${BUDGETS.userCostly.perMinute} costly ones`,
    `${rangeText(REQUEST_ID)} letters`,
    `\`limit\` (at most ${LIMITS.page.max})`,
  ],
  architecture: [
    `parts of at most ${sizeText(LIMITS.uploadPart)}`,
    `${SEGMENTS_PER_CHUNK} segments per row`,
    `kept for ${EVENTS}`,
  ],
  'audit-log': [
    `after ${LIMITS.auditStreamRetry.min} seconds to ${LIMITS.auditStreamRetry.max / 60} minutes`,
    `at most ${LIMITS.auditStreamBatch} entries`,
  ],
  models: [],
  'operations/configure': [
    `JSON bodies are at most ${sizeText(BODY_LIMITS.json)}, transcript files ${FILE}`,
    `send something every ${LIMITS.heartbeatSeconds} s`,
  ],
  'operations/sizing': [`webhook and event, for ${EVENTS}`],
  'operations/watch': [],
  search: [],
  embedding: [
    `\`recordings\` (${TOKENS.recordings.max} at most)`,
    `works for ${TOKENS.expiresIn.default / MINUTE_S} minutes`,
    `at most ${sizeText(LIMITS.logo.file)}`,
    `at most ${LIMITS.logo.width} by ${LIMITS.logo.height} pixels`,
  ],
  oauth: [`opaque, ${TOKEN_MINUTES} minutes`, `${REFRESH_DAYS} days from its last use`],
  security: [
    `${TOKEN_MINUTES} minutes have passed; ${REFRESH_DAYS} days without use`,
    `short access tokens | ${TOKEN_MINUTES} minutes`,
    `${countText(IDEMPOTENCY_LIMITS.keysPerUser)} or ${sizeText(IDEMPOTENCY_LIMITS.bytesPerUser)} per user, for ${IDEMPOTENCY_LIMITS.keptHours} hours`,
    `${sharePasswordTries.count} wrong ones in ${sharePasswordTries.minutes} minutes per link`,
    `${FILE}, limits on segments`,
    `${sizeText(BODY_LIMITS.public)} without a key`,
    `${sizeText(LIMITS.webhookReply)} of a`,
    `last ${CHECKSUM} characters are a checksum`,
    `as short as ${LIMITS.sharePassword.min} characters`,
    `${LIMITS.shareAccessHours} hours have passed`,
    `${session.idleHours} hours without use, ${session.days} days`,
    `${LIMITS.signInLinkMinutes} minutes have passed`,
  ],
  'security-asvs': [
    `6.2.1: ${charactersOf(LIMITS.sharePassword)}`,
    `sessions: ${session.idleHours} hours, ${session.days} days`,
  ],
  'sign-in': [
    `link by email, for ${LIMITS.signInLinkMinutes} minutes, once | \`SMTP_URL\`; a verified address, to which ${LIMITS.signInMails.count} are sent an hour`,
    `link of the host, for ${LIMITS.signInLinkMinutes} minutes`,
    `ends ${session.idleHours} hours after its last use, ${session.days} days after`,
    `${countText(DIRECTORY_LIMITS.users)} people and ${countText(DIRECTORY_LIMITS.groups)} groups, ${DIRECTORY_LIMITS.page.max} a page, ${DIRECTORY_LIMITS.operations} operations`,
    `Each user can have ${LIMITS.passkeys}`,
  ],
  tour: [
    `chunks of ${SEGMENTS_PER_CHUNK} segments each`,
    `once, within ${LIMITS.invitationDays} days`,
    `lists the last ${EVENTS}`,
  ],
  transcripts: [
    `a file of at most ${FILE}`,
    `${countText(LIMITS.segments)} segments and ${countText(LIMITS.speakers)} different speakers`,
  ],
  uploads: [`parts of ${sizeText(LIMITS.directPart)}`, `at most ${LIMITS.directParts} at once`],
  webhooks: [
    `the first ${LIMITS.findingsOfEvent} decisions and action items`,
    `the same events for ${EVENTS}`,
    `within ${LIMITS.webhookReplySeconds} seconds`,
    `${webhookRetries.length + 1} attempts over ${retryDays} days`,
    `accepted nothing for ${LIMITS.webhookFailureDays} days`,
    `for ${LIMITS.webhookSecretHours} hours, requests are signed with both`,
  ],
  'workspace-file': [
    `\`users[].name\` \\* | ${charactersOf(LIMITS.name)}`,
    `\`users[].apiKeys[].name\` \\* | ${charactersOf(LIMITS.apiKeyName)}`,
    `\`mrs_\` and ${rangeText(API_KEY_LENGTH)} letters and digits`,
    `\`organizations[].name\` \\* | ${charactersOf(LIMITS.name)}`,
    `\`organizations[].folders[].name\` \\* | ${charactersOf(LIMITS.name)}`,
    `\`recordings[].title\` \\* | ${charactersOf(LIMITS.title)}`,
    `\`recordings[].notes\` | ${charactersOf(LIMITS.notes)}`,
  ],
};

/** Numbers that are no limits of the contract: measured, chosen by the reader, or of how something works. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'audit-log': ['more than 18 hours late'],
  models: [
    '10 minutes and 1 MiB for each part of a summary, 30 minutes and 4 MiB',
    'at most 40,000 characters (about',
    '[0 to 10 %]',
  ],
  'operations/sizing': [
    '1,000 hours',
    '80 to 100 core-hours',
    '280 to 390 core-hours',
    '1.3 to 1.7 ms',
    '0.5 to 0.7 ms',
    '1,200 requests',
    '700 segments',
    '8,000 segments',
  ],
  'operations/watch': ['43 letters'],
  security: ['names of at most 80 characters', 'at most 64 MiB and two minutes', 'at most 90 days after'],
  'sign-in': ['more than 200 groups', 'Behind one address, 30 people a minute'],
  transcripts: ['`0 minutes 3 seconds`', 'for every 15 characters', 'or 500 characters'],
  tour: ['older than 30 days, such as this one'],
  uploads: ['for 20 seconds'],
};

/** `400 MB`: sizes that were measured are decimal. */
const isMeasured = (number: string): boolean => / [KMG]B$/.test(number);

describe('limits in the documents', () => {
  it.each(Object.entries(STATED))('docs/%s.md states as they are, and no others', (name, limits) => {
    const document = readFileSync(`docs/${name}.md`, 'utf8');
    const [text, prose] = [document, document.replace(/^```[^]*?^```$/gm, '')].map((one) =>
      one.replace(/\s+/g, ' '),
    );
    expect(limits.filter((limit) => !text!.includes(limit))).toEqual([]);
    const known = [...limits, ...(OTHERS[name] ?? [])];
    const rest = known.reduce((left, one) => left.replaceAll(one, ''), prose!);
    expect(statedNumbers(rest).filter((number) => !isMeasured(number))).toEqual([]);
  });
});
