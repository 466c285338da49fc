/** How a table of contents groups operations: by tag, and by path where a document has no tags. */
import type { OperationEntry } from '../api/reader.ts'

/** So many operations are listed without groups. */
const mostPlain = 20

export interface ListedGroup {
  readonly name: string
  readonly description: string
  readonly operations: readonly OperationEntry[]
}

const segmentsOf = (path: string): string[] => path.split('/').filter((it) => it !== '' && !it.startsWith('{'))

/** How many segments all paths begin with alike. */
function sharedSegments(paths: readonly (readonly string[])[]): number {
  const [first = []] = paths
  let shared = 0
  while (shared < first.length && paths.every((it) => it.length > shared + 1 && it[shared] === first[shared])) shared++
  return shared
}

/**
 * The groups with the operations that have no tag grouped by the first segment in which their paths differ. A group
 * stays as it is where it is small, or where nearly every path would be a group of its own.
 * @param untagged the name of the group of operations without a tag
 */
export function listGroups(groups: readonly ListedGroup[], untagged = 'Operations'): ListedGroup[] {
  return groups.flatMap((group): ListedGroup[] => {
    const { operations } = group
    if (group.name !== untagged || operations.length <= mostPlain) return [group]
    const all = operations.map(({ path }) => segmentsOf(path))
    const shared = sharedSegments(all)
    const byPath = Map.groupBy(operations, ({ path }) => segmentsOf(path)[shared] ?? segmentsOf(path).at(-1) ?? '/')
    if (byPath.size > operations.length / 2) return [group]
    return [...byPath].map(([name, list]) => ({ name, description: '', operations: list }))
  })
}
