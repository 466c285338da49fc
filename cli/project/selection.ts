/** Many projects on the command line: those named, or all that match a filter or a saved view. */
import type { Call } from '../../src/api/endpoint.ts'
import { mostAtOnce } from '../../src/api/project-bulk.ts'
import type { ViewFilter } from '../../src/api/project-views.ts'
import { SvcError } from '../../src/errors.ts'
import { type FilterGiven, filterOf, filterOfView } from './filter.ts'

/** What a request names: some projects, or a filter. */
export type Selection = { readonly projects: string[] } | { readonly matching: Omit<ViewFilter, 'sort'> }

interface Asked {
  readonly refs: readonly string[]
  readonly options: FilterGiven & { readonly view?: string | undefined; readonly all: boolean }
}

/**
 * The requests that reach what was asked for: named projects in portions, or one filter, whose answers say how to continue.
 * @throws SvcError `usage` where both or neither is given, `project-view-not-found`
 */
export async function selectionsOf(
  call: Call,
  tenant: string,
  { refs, options }: Asked,
): Promise<readonly Selection[]> {
  const own = filterOf(options)
  const isFiltered = Object.keys(own).length > 0 || options.view !== undefined || options.all
  if (refs.length > 0 && isFiltered)
    throw new SvcError('usage', { reason: 'Name projects, or give a filter; not both.' })
  if (refs.length === 0 && !isFiltered)
    throw new SvcError('usage', {
      reason: 'Name the projects, or give a filter such as --owner, --tag or --view; --all means all projects.',
    })
  if (refs.length > 0) {
    const distinct = [...new Set(refs)]
    const starts = Array.from({ length: Math.ceil(distinct.length / mostAtOnce) }, (_, n) => n * mostAtOnce)
    return starts.map((from) => ({ projects: distinct.slice(from, from + mostAtOnce) }))
  }
  const { sort: _, ...saved } = await filterOfView(call, tenant, options.view)
  return [{ matching: { ...saved, ...own } }]
}

/** Sends one selection after the other, and each as long as its answers name what comes next. */
export async function* continued<T extends { readonly next: string | null }>(
  selections: readonly Selection[],
  send: (selection: Selection & { readonly after?: string }) => Promise<T>,
): AsyncGenerator<T> {
  for (const selection of selections) {
    let from: string | null = null
    do {
      const answer: T = await send(from === null ? selection : { ...selection, after: from })
      yield answer
      from = answer.next
    } while (from !== null)
  }
}
