import { Guard } from '../bounds/door.ts'
import type { Listed } from './catalogue.ts'

/** What a visitor asks for. */
export interface PortalQuery {
  readonly q: string
  readonly format: string
  readonly lifecycle: string
  readonly tag: string
  readonly grade: string
  readonly sort: 'name' | 'newest'
  readonly page: number
}

/** The values that a list can be narrowed by, each with how many of all projects have it. */
export interface Facet {
  readonly name: 'format' | 'lifecycle' | 'tag' | 'grade'
  readonly title: string
  readonly values: readonly (readonly [value: string, count: number])[]
}

export interface Shown {
  readonly total: number
  readonly pages: number
  readonly items: readonly Listed[]
  readonly facets: readonly Facet[]
}

const pageSize = 50
const mostValues = 100

const valuesOf: Readonly<Record<Facet['name'], (it: Listed) => readonly string[]>> = {
  format: ({ format }) => [format],
  lifecycle: ({ lifecycle }) => (lifecycle === null ? [] : [lifecycle]),
  tag: ({ tags }) => tags,
  grade: ({ grade }) => (grade === null ? [] : [grade]),
}
const allFacets = [
  ['format', 'Format'],
  ['lifecycle', 'Lifecycle'],
  ['tag', 'Tag'],
  ['grade', 'Grade'],
] as const

const countValues = (all: readonly Listed[], name: Facet['name']): [string, number][] => {
  const counts = new Map<string, number>()
  for (const value of all.flatMap(valuesOf[name])) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, mostValues)
}

/** Words of a search beyond these do not narrow it. */
const mostWords = 12

/**
 * The projects that match, on the page that is asked for; the last one where there are fewer.
 * @param showsGrades whether the list can be narrowed by grades
 * @param signal aborted when the reader is gone
 * @throws SvcError `request-too-costly`
 */
export async function listProjects(
  all: readonly Listed[],
  asked: PortalQuery,
  { showsGrades, signal }: { readonly showsGrades: boolean; readonly signal?: AbortSignal },
): Promise<Shown> {
  const facets = showsGrades ? allFacets : allFacets.filter(([name]) => name !== 'grade')
  const words = asked.q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords)
  const matching = await new Guard('portal', signal).filter(
    all,
    ({ name, description }) => (name.length * 2 + description.length) * (words.length + 1),
    (entry) => {
      const text =
        `${entry.name} ${entry.slug} ${entry.description} ${entry.owner ?? ''} ${entry.tags.join(' ')}`.toLowerCase()
      return (
        words.every((word) => text.includes(word)) &&
        facets.every(([name]) => asked[name] === '' || valuesOf[name](entry).includes(asked[name]))
      )
    },
  )
  const byName = (a: Listed, b: Listed): number => a.name.localeCompare(b.name, 'en') || (a.slug < b.slug ? -1 : 1)
  const ordered = matching.toSorted((a, b) => {
    if (asked.sort === 'newest' && a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1
    return byName(a, b)
  })
  const pages = Math.max(1, Math.ceil(matching.length / pageSize))
  const page = Math.min(asked.page, pages)
  return {
    total: matching.length,
    pages,
    items: ordered.slice((page - 1) * pageSize, page * pageSize),
    facets: facets
      .map(([name, title]) => ({ name, title, values: countValues(all, name) }))
      .filter(({ values }) => values.length > 1),
  }
}
