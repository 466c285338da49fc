import { inArray } from 'drizzle-orm'
import { inTenant, padded } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { versionRules } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { Guard } from '../bounds/door.ts'
import { everyRule } from '../guide-rules/door.ts'
import type { Current } from './current.ts'

/** The findings of so many rules are looked up, those that match best. */
const mostRules = 3

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

/** The rules that have findings in the latest versions of an organization. */
async function countedRules(read: Reader, tenantId: string): Promise<Set<string>> {
  const rows = await read
    .selectDistinct({ rule: versionRules.rule })
    .from(versionRules)
    .where(inTenant(versionRules, tenantId))
  return new Set(rows.map(({ rule }) => rule))
}

/**
 * Rules by their names, and where they have findings: of each project the latest version, those with most findings first.
 * @param limit how many results of each list
 */
export async function searchRules(
  read: Reader,
  tenantId: string,
  { text, limit, current }: { readonly text: string; readonly limit: number; readonly current: Current },
): Promise<Pick<CatalogSearch, 'rules' | 'findings'>> {
  const counted = await countedRules(read, tenantId)
  const found = await rulesFor(text, counted)
  const shown = found.filter(({ isBuiltin }) => isBuiltin).slice(0, limit)
  // Words that only a description has may be there by chance: that names no rule.
  const asked = found.filter(({ id, fit }) => fit < 4 && counted.has(id)).slice(0, mostRules)
  const rows =
    asked.length === 0
      ? []
      : await read
          .select({ versionId: versionRules.versionId, rule: versionRules.rule, count: versionRules.findings })
          .from(versionRules)
          .where(inTenant(versionRules, tenantId, inArray(versionRules.rule, padded(asked.map(({ id }) => id)))))
  const places = rows.flatMap(({ versionId, rule, count }) => {
    const place = current.latest.has(versionId) ? current.places.get(versionId) : undefined
    return place === undefined ? [] : [{ rule, count, place }]
  })
  const order = new Map(asked.map(({ id }, at) => [id, at]))
  const sums = new Map<string, { projects: number; findings: number }>()
  for (const { rule, count } of places) {
    const sum = sums.get(rule) ?? { projects: 0, findings: 0 }
    sums.set(rule, { projects: sum.projects + 1, findings: sum.findings + count })
  }
  return {
    rules: shown.map(({ id, description }) => ({
      id,
      description,
      ...(sums.get(id) ?? { projects: null, findings: null }),
    })),
    findings: places
      .toSorted(
        (a, b) =>
          (order.get(a.rule) ?? 0) - (order.get(b.rule) ?? 0) ||
          b.count - a.count ||
          (a.place.project_slug < b.place.project_slug ? -1 : 1),
      )
      .slice(0, limit)
      .map(({ rule, count, place }) => ({
        rule,
        count,
        project_slug: place.project_slug,
        project_name: place.project_name,
        version_slug: place.version_slug,
        version_label: place.version_label,
      })),
  }
}
