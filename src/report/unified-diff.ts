import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from 'diff'
import { changesOf, type ChangedLines } from '../document/changed-lines.ts'

/** Lines around each change. */
const context = 3
const noLineFeed = '\n\\ No newline at end of file'

/** The lines of a text; a last one without a line feed says so, so that it is not the same as one with it. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, last + noLineFeed]
}

/** Changes with at most the context of both between them are in one hunk. */
function together(changes: readonly ChangedLines[]): ChangedLines[][] {
  const groups: ChangedLines[][] = []
  for (const change of changes) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (last !== undefined && change.line - (last.line + last.added) <= 2 * context) group?.push(change)
    else groups.push([change])
  }
  return groups
}

/** @param shift how many lines the changes before it added */
function hunkOf(
  group: readonly ChangedLines[],
  shift: number,
  old: readonly string[],
  now: readonly string[],
): StructuredPatchHunk {
  const newFrom = Math.max(0, (group[0]?.line ?? 0) - context)
  const oldFrom = newFrom - shift
  const lines: string[] = []
  let [oldAt, newAt] = [oldFrom, newFrom]
  const keep = (to: number): void => {
    for (; newAt < to; newAt++, oldAt++) lines.push(` ${now[newAt]}`)
  }
  for (const { line, added, removed } of group) {
    keep(line)
    for (const to = oldAt + removed; oldAt < to; oldAt++) lines.push(`-${old[oldAt]}`)
    for (const to = newAt + added; newAt < to; newAt++) lines.push(`+${now[newAt]}`)
  }
  keep(Math.min(now.length, newAt + context))
  return {
    oldStart: oldFrom + 1,
    oldLines: oldAt - oldFrom,
    newStart: newFrom + 1,
    newLines: newAt - newFrom,
    lines: lines.flatMap((it) => it.split('\n')),
  }
}

/**
 * The difference of two texts as `diff -u` and git write it: hunks with three lines around each change; "" where they are
 * equal. Its time grows with the length of the texts, however much differs.
 * @param name the file that both are versions of
 */
export function unifiedDiff(before: string, after: string, name: string): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before), linesOf(after)]
  let shift = 0
  const hunks = together(changesOf(old, now)).map((group) => {
    const hunk = hunkOf(group, shift, old, now)
    shift += group.reduce((sum, { added, removed }) => sum + added - removed, 0)
    return hunk
  })
  const patch = { oldFileName: name, newFileName: name, oldHeader: undefined, newHeader: undefined, hunks }
  return formatPatch(patch, FILE_HEADERS_ONLY)
}
