import { expect, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';

/** Part of a plan that PostgreSQL has carried out. */
export interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}
/** Runs statements that fill tables with very many rows, without their triggers, which take most of the time. */
export async function fill(
  dataSource: DataSource,
  tables: readonly string[],
  statements: readonly (readonly [sql: string, parameters?: readonly unknown[]])[],
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    for (const table of tables) await manager.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    for (const [sql, parameters = []] of statements) await manager.query(sql, [...parameters]);
    for (const table of tables) await manager.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  });
  await dataSource.query('ANALYZE');
}

type Runner = { query(sql: string, parameters?: unknown[]): Promise<unknown> };

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The reads of tables by the statements of some work, of which there must be some; `of`: by those that match it. */
export async function readsOf(
  dataSource: DataSource,
  work: () => Promise<unknown>,
  of: RegExp = /^\s*(WITH|SELECT)/i,
): Promise<readonly { readonly relation: string; readonly rows: number }[]> {
  const runner = dataSource.createQueryRunner();
  const spy = jest.spyOn(Object.getPrototypeOf(runner) as Runner, 'query');
  await work();
  const statements = spy.mock.calls.filter(([sql]) => of.test(sql));
  spy.mockRestore();
  await runner.release();
  expect(statements.length).toBeGreaterThan(0);
  const nodes: PlanNode[] = [];
  for (const [sql, parameters] of statements) {
    const [{ 'QUERY PLAN': plans }] = await dataSource.query<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      parameters,
    );
    nodes.push(...nodesOf(plans[0].Plan));
  }
  return nodes.flatMap(({ 'Relation Name': relation, 'Actual Loops': loops, ...node }) =>
    relation && loops > 0
      ? [{ relation, rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * loops }]
      : [],
  );
}

export const rowsIn = (reads: readonly { readonly rows: number }[]): number =>
  reads.reduce((sum, { rows }) => sum + rows, 0);
