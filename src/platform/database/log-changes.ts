import { changeTriggers, type LoggedTable } from './migrations/1_0_0/change-triggers.js';

/** Statements of a migration, and of its way back. */
interface Statements {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/**
 * Returns the statements that make the triggers which log changes of new tables, for a migration after 1.0.0. That
 * release created the functions that all triggers call, so they are left out.
 */
export function logChanges(tables: readonly LoggedTable[]): Statements {
  const functions = new Set(changeTriggers([]).up);
  const { up, down } = changeTriggers(tables);
  return { up: up.filter((statement) => !functions.has(statement)), down: down.slice(0, 1) };
}
