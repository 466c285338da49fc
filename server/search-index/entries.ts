import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { schemaPrefix } from '../../db/search/match.ts'
import { indexEntries } from '../../db/search/search.ts'
import { versionRules, versions } from '../../db/tables.gen.ts'
import type { Analysis } from '../analysis/door.ts'

/**
 * What is indexed of a version: 1 is its operations, its schemas and how many findings of each rule it has, 2 has the whole names
 * of these as well. Raise it when there is more, and servers index versions of before again (`reindex.ts`).
 */
export const indexGeneration = 2

/** The name of the schema of an entry; null for the entry of an operation. */
export const schemaName = (ref: string): string | null =>
  ref.startsWith(schemaPrefix) ? ref.slice(schemaPrefix.length) : null

interface Version {
  readonly tenantId: string
  readonly id: string
}

/** How many findings each rule has. */
export function countByRule(findings: Analysis['findings']): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}

/** Keeps how many findings of each rule a version has, in place of what was kept before. */
export async function writeRuleCounts(
  tx: Transaction,
  { tenantId, id: versionId }: Version,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.delete(versionRules).where(inTenant(versionRules, tenantId, eq(versionRules.versionId, versionId)))
  const rows = [...counts].map(([rule, findings]) => ({ versionId, rule, tenantId, findings }))
  if (rows.length > 0) await tx.insert(versionRules).values(rows)
}

/** Notes that a version is indexed, or why it cannot be: it is not tried again in this generation. */
export async function markIndexed(
  tx: Transaction,
  { tenantId, id: versionId }: Version,
  problem: string | null = null,
): Promise<void> {
  const set = { indexGeneration, indexProblem: problem }
  await tx
    .update(versions)
    .set(set)
    .where(inTenant(versions, tenantId, eq(versions.id, versionId)))
}

/** Makes a version searchable: operations, schemas and rules, in place of what was indexed of it before. */
export async function indexVersion(
  tx: Transaction,
  version: Version,
  { operations, words, classNames, findings }: Pick<Analysis, 'operations' | 'words' | 'classNames' | 'findings'>,
): Promise<void> {
  await indexEntries(tx, version.tenantId, version.id, [
    ...operations.flatMap(({ ref }, at) => (words[at] === undefined ? [] : [{ ref, ...words[at] }])),
    ...classNames.map((name) => ({ ref: schemaPrefix + name, title: name, body: '' })),
  ])
  await writeRuleCounts(tx, version, countByRule(findings))
  await markIndexed(tx, version)
}
