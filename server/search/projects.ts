import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { Guard } from '../bounds/door.ts'
import { matching } from '../projects/door.ts'

/** Of so many that match the best are chosen. */
const mostMatching = 20_000

interface Named {
  readonly name: string
  readonly slug: string
}

const wordsOf = (text: string): string[] => text.trim().toLowerCase().split(/\s+/)

/** How well the name of a project matches what was typed: 0 is the name itself, 5 that only what is said about it has the words. */
export function rankOf({ name, slug }: Named, text: string): number {
  const wanted = text.trim().toLowerCase()
  const own = name.toLowerCase()
  if (own === wanted || slug === wanted) return 0
  if (own.startsWith(wanted) || slug.startsWith(wanted)) return 1
  const words = wordsOf(text)
  const parts = `${own} ${slug}`.split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => parts.includes(word))) return 2
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 3
  return words.every((word) => own.includes(word) || slug.includes(word)) ? 4 : 5
}

/** Projects whose name, slug, description or owner has each of the words; those that are named so come first. */
export async function searchProjects(
  read: Reader,
  tenantId: string,
  text: string,
  limit: number,
): Promise<CatalogSearch['projects']> {
  const { name, slug } = projects
  const rows = await read
    .select({ name, slug })
    .from(projects)
    .where(inTenant(projects, tenantId, matching({ q: text })))
    .limit(mostMatching)
  const ranked: { row: Named; rank: number }[] = []
  await new Guard('project-search').each(
    rows,
    (row) => row.name.length * wordsOf(text).length,
    (row) => ranked.push({ row, rank: rankOf(row, text) }),
  )
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.row.name.length - b.row.name.length || (a.row.slug < b.row.slug ? -1 : 1))
    .slice(0, limit)
    .map(({ row }) => row)
}
