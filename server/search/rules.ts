import { asc, count, desc, eq, gt, inArray, sum } from 'drizzle-orm'
import { inTenant, padded } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versionRules, versions } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { Guard } from '../bounds/door.ts'
import { everyRule } from '../guide-rules/door.ts'

/** The findings of so many rules are looked up, those that match best. */
const mostRules = 3
/** So many rules that have findings are known by their names. */
const mostCounted = 1000

/** How well a rule matches what was typed: 0 is its id; null where it does not. */
export function fitOf(rule: string, description: string | null, text: string): number | null {
  const wanted = text.toLowerCase().trim()
  const id = rule.toLowerCase()
  if (id === wanted) return 0
  if (id.startsWith(wanted)) return 1
  if (id.includes(wanted)) return 2
  const words = wanted.split(/[\s-]+/).filter((word) => word !== '')
  if (words.every((word) => id.includes(word))) return 3
  const all = ` ${id} ${(description ?? '').toLowerCase()}`
  // A word there begins as what was typed: "get" is not in "target".
  return words.every((word) => all.includes(` ${word}`)) ? 4 : null
}

const byFit = (a: { fit: number; id: string }, b: { fit: number; id: string }): number =>
  a.fit - b.fit || a.id.length - b.id.length || (a.id < b.id ? -1 : 1)

/** The rules that a text finds: those of lint by id and description, others that have findings here by id. The best first. */
async function rulesFor(text: string, counted: Iterable<string>) {
  const builtin = Object.entries(everyRule).map(([id, { description = null }]) => ({
    id,
    description,
    isBuiltin: true,
  }))
  const known = new Set(builtin.map(({ id }) => id))
  const own = [...counted].flatMap((id) => (known.has(id) ? [] : [{ id, description: null, isBuiltin: false }]))
  const fitting: { id: string; description: string | null; isBuiltin: boolean; fit: number }[] = []
  await new Guard('rule-search').each(
    [...builtin, ...own],
    ({ id, description }) => (id.length + (description ?? '').length) * 4,
    (it) => {
      const fit = fitOf(it.id, it.description, text)
      if (fit !== null) fitting.push({ ...it, fit })
    },
  )
  return fitting.toSorted(byFit)
}

/** The rules that have findings in any version: each is looked up after the one before it, so that not every row is read. */
async function countedRules(read: Reader, tenantId: string): Promise<Set<string>> {
  const { rule } = versionRules
  const rules = new Set<string>()
  for (let last = ''; rules.size < mostCounted;) {
    const [row] = await read
      .select({ rule })
      .from(versionRules)
      .where(inTenant(versionRules, tenantId, gt(rule, last)))
      .orderBy(asc(rule))
      .limit(1)
    if (row === undefined) break
    rules.add(row.rule)
    last = row.rule
  }
  return rules
}

/** Where rules have findings: of each project the latest version. */
function inLatest(read: Reader, tenantId: string, rules: readonly string[]) {
  const { rule, findings } = versionRules
  const isLatest = inTenant(projects, tenantId, eq(projects.latestVersionId, versionRules.versionId))
  const among = inTenant(versionRules, tenantId, inArray(rule, padded(rules)))
  return {
    sums: () =>
      read
        .select({ rule, projects: count(), findings: sum(findings).mapWith(Number) })
        .from(versionRules)
        .innerJoin(projects, isLatest)
        .where(among)
        .groupBy(rule),
    most: (one: string, limit: number) =>
      read
        .select({
          rule,
          count: findings,
          project_slug: projects.slug,
          project_name: projects.name,
          version_slug: versions.slug,
          version_label: versions.label,
        })
        .from(versionRules)
        .innerJoin(projects, isLatest)
        .innerJoin(versions, inTenant(versions, tenantId, eq(versions.id, versionRules.versionId)))
        .where(inTenant(versionRules, tenantId, eq(rule, one)))
        .orderBy(desc(findings), asc(projects.slug))
        .limit(limit),
  }
}

/**
 * Rules by their names, and where they have findings: of each project the latest version, those with most findings first.
 * @param limit how many results of each list
 */
export async function searchRules(
  read: Reader,
  tenantId: string,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<Pick<CatalogSearch, 'rules' | 'findings'>> {
  const counted = await countedRules(read, tenantId)
  const found = await rulesFor(text, counted)
  const shown = found.filter(({ isBuiltin }) => isBuiltin).slice(0, limit)
  // Words that only a description has may be there by chance: that names no rule.
  const asked = found.flatMap(({ id, fit }) => (fit < 4 && counted.has(id) ? [id] : [])).slice(0, mostRules)
  const latest = inLatest(read, tenantId, asked)
  const [sums, most] = await Promise.all([
    asked.length === 0 ? [] : latest.sums(),
    Promise.all(asked.map((id) => latest.most(id, limit))),
  ])
  const byRule = new Map(sums.map(({ rule, ...rest }) => [rule, rest]))
  return {
    rules: shown.map(({ id, description }) => ({
      id,
      description,
      ...(byRule.get(id) ?? { projects: null, findings: null }),
    })),
    findings: most.flat().slice(0, limit),
  }
}
