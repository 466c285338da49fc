import type { Input } from '../../../../src/api/endpoint.ts'
import { type BulkResult, mostAtOnce, projectBulkApi } from '../../../../src/api/project-bulk.ts'
import { call } from '../../call.ts'
import { count } from '../../parts/text.ts'
import type { ProjectFilter } from '../catalog/projects.ts'
import type { Selection } from './selection.ts'

type Body = Input<typeof projectBulkApi.change>['body']
export type BulkChange = Body['change']
type Target = Pick<Body, 'projects' | 'matching'>

/** The requests that reach what is selected: portions of its ids, or the filter that all of it matches. */
export function targetsOf({ isAll, ids }: Pick<Selection, 'isAll' | 'ids'>, filter: ProjectFilter): readonly Target[] {
  const { sort: _, ...matching } = filter
  // The address may hold any text: the service refuses what it does not know, with the reason.
  if (isAll) return [{ matching } as Target]
  const starts = Array.from({ length: Math.ceil(ids.length / mostAtOnce) }, (_, n) => n * mostAtOnce)
  return starts.map((from) => ({ projects: ids.slice(from, from + mostAtOnce) }))
}

/** Sends a request after the other, as long as an answer names what comes next. */
async function eachOf<T extends { readonly next: string | null }>(
  targets: readonly Target[],
  send: (target: Target & { after?: string }) => Promise<T>,
  take: (answer: T) => void,
): Promise<void> {
  for (const target of targets) {
    let from: string | null = null
    do {
      const answer: T = await send(from === null ? target : { ...target, after: from })
      take(answer)
      from = answer.next
    } while (from !== null)
  }
}

/** Changes what is selected, portion by portion; nothing where another number matches by now. */
export async function changeSelected(
  tenant: string,
  selection: Pick<Selection, 'isAll' | 'ids' | 'count'>,
  filter: ProjectFilter,
  change: BulkChange,
  onProgress: (done: number) => void,
): Promise<readonly BulkResult[]> {
  const results: BulkResult[] = []
  const expected = selection.isAll ? { expected: selection.count } : {}
  await eachOf(
    targetsOf(selection, filter),
    (target) =>
      call(projectBulkApi.change, { params: { tenant_slug: tenant }, body: { ...target, ...expected, change } }),
    (answer) => {
      results.push(...answer.results)
      onProgress(results.length)
    },
  )
  return results
}

/** What is selected as one file for Backstage. */
export async function exportSelected(
  tenant: string,
  selection: Pick<Selection, 'isAll' | 'ids'>,
  filter: ProjectFilter,
): Promise<string> {
  const contents: string[] = []
  await eachOf(
    targetsOf(selection, filter),
    (body) => call(projectBulkApi.export, { params: { tenant_slug: tenant }, body }),
    ({ content }) => contents.push(content),
  )
  return contents.join('---\n')
}

const words: Readonly<Record<BulkResult['outcome'], string>> = {
  changed: 'changed',
  deleted: 'deleted',
  unchanged: 'unchanged',
  refused: 'refused',
}

/** What became of the projects, in one sentence: "12 projects changed, 3 unchanged." */
export function summaryOf(results: readonly BulkResult[]): string {
  const counts = Map.groupBy(results, ({ outcome }) => outcome)
  const parts = Object.entries(words).flatMap(([outcome, word]) => {
    const n = counts.get(outcome as BulkResult['outcome'])?.length ?? 0
    return n === 0 ? [] : [{ n, word }]
  })
  return `${parts.map(({ n, word }, at) => (at === 0 ? `${count(n, 'project', 'projects')} ${word}` : `${n.toLocaleString()} ${word}`)).join(', ')}.`
}

/** Where the menu of actions for what is selected is. */
export const actionsId = 'bulk-actions'

/** Moves the focus from a row to the actions, which follow after all rows. */
export const focusActions = (): void => document.getElementById(actionsId)?.querySelector('button')?.focus()
