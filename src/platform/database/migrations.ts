import { CreateSchema1764000000000 } from './migrations/1_0_0/create-schema.js';
import { CreateSummaryRevisions1795752000000 } from './migrations/1_1_0/create-summary-revisions.js';
import { CreateServiceAccounts1795881600000 } from './migrations/1_1_0/create-service-accounts.js';
import { NarrowApiKeys1795838400000 } from './migrations/1_1_0/narrow-api-keys.js';
import { LimitKeyLife1795924800000 } from './migrations/1_1_0/limit-key-life.js';
import { CreateActionItems1796083200000 } from './migrations/1_1_0/create-action-items.js';
import { CreateGlossaries1796169600000 } from './migrations/1_1_0/create-glossaries.js';
import { FoldLetters1796344800000 } from './migrations/1_1_0/fold-letters.js';
import { ListenToMeetings1796256000000 } from './migrations/1_1_0/listen-to-meetings.js';
import { LogDeletedServiceAccounts1796342400000 } from './migrations/1_1_0/log-deleted-service-accounts.js';
import { AddDueDates1796347200000 } from './migrations/1_1_0/add-due-dates.js';
import { LogClients1796000400000 } from './migrations/1_1_0/log-clients.js';
import { AddWebhookHeaders1796349600000 } from './migrations/1_1_0/add-webhook-headers.js';

/** All migrations, oldest first. Add new ones at the end; never change one that has been released. */
export const MIGRATIONS = [
  CreateSchema1764000000000,
  CreateSummaryRevisions1795752000000,
  NarrowApiKeys1795838400000,
  CreateServiceAccounts1795881600000,
  LimitKeyLife1795924800000,
  LogClients1796000400000,
  CreateActionItems1796083200000,
  CreateGlossaries1796169600000,
  ListenToMeetings1796256000000,
  LogDeletedServiceAccounts1796342400000,
  FoldLetters1796344800000,
  AddDueDates1796347200000,
  AddWebhookHeaders1796349600000,
];
