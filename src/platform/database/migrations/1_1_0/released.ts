import { CHANGE_LOG } from '../1_0_0/change-log.js';
import { LOGGED_CHANGES } from '../1_0_0/logged-changes.js';
import { QUOTAS } from '../1_0_0/quotas.js';
import { RECORDINGS } from '../1_0_0/recordings.js';
import { SHARING } from '../1_0_0/sharing.js';
import { TRANSCRIPTS } from '../1_0_0/transcripts.js';

const STATEMENTS = [RECORDINGS, TRANSCRIPTS, SHARING, CHANGE_LOG, LOGGED_CHANGES, QUOTAS].flatMap(
  ({ up }) => up,
);

/** The statement with which 1.0.0 creates a function or a trigger. */
export const released = (kind: 'FUNCTION' | 'TRIGGER', name: string): string =>
  STATEMENTS.find((statement) => new RegExp(`^CREATE ${kind} ${name}\\b`).test(statement))!;

/** The same function takes the place of the one that there is, with its triggers. */
export const replacing = (createFunction: string): string =>
  createFunction.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');
