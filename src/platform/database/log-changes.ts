import { changeTriggers, type LoggedTable } from './migrations/1_0_0/change-triggers.js';

/** The statements that make the triggers of new tables; the functions that these call are there since 1.0.0. */
export function logChanges(tables: readonly LoggedTable[]): {
  readonly up: readonly string[];
  readonly down: readonly string[];
} {
  const functions = new Set(changeTriggers([]).up);
  const { up, down } = changeTriggers(tables);
  return { up: up.filter((statement) => !functions.has(statement)), down: down.slice(0, 1) };
}
