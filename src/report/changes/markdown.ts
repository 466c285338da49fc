import type { Change } from '../../diff/change.ts'
import { escapeMarkdown, escapeSentence, inlineCode, visible } from '../escape.ts'
import type { ChangeReport } from '../report.ts'
import { consumersAsMarkdown } from './consumers.ts'
import {
  groupChanges,
  headlineOf,
  hitsOf,
  exampleOf,
  lineOf,
  placeOf,
  tellOnce,
  withSeverity,
  type ChangeGroup,
  type ToldChange,
} from './outline.ts'
import { plural } from '../../kernel/plural.ts'
import { compareText } from '../../kernel/order.ts'
import { cutTo } from '../../kernel/text.ts'

/** GitHub takes comments of 65,536 characters; bytes are never fewer. */
const mostBytes = 64_000
const mostOperations = 30
const longestMessage = 600

const sizeOf = (text: string): number => new TextEncoder().encode(text).byteLength

const sentence = (text: string): string => escapeSentence(cutTo(text, longestMessage))

const item = (change: ToldChange, report: ChangeReport): string => {
  const place = placeOf(change, report)
  const notes = [
    change.classification === 'unknown' ? '**(undecided)**' : '',
    change.direction === null ? '' : `in the ${change.direction}`,
    inlineCode(change.id),
    place === null ? '' : inlineCode(lineOf(place)),
    change.alike === 1 ? '' : `(${change.alike} changes)`,
  ]
  const lines = [`- ${sentence(change.message)} — ${notes.filter((it) => it !== '').join(' ')}`]
  if (change.witness) {
    const { witness } = change
    lines.push(`  - example: ${inlineCode(exampleOf(witness))}, valid for the ${witness.acceptedBy} document only`)
  }
  const hits = hitsOf(change, report)
  const named = hits.map(
    ({ handle, name }) => `${name === null ? '' : `${escapeMarkdown(visible(name))} `}${inlineCode(handle)}`,
  )
  if (named.length > 0) lines.push(`  - affects ${named.join(', ')}`)
  return lines.join('\n')
}

const titleOf = ({ operations, title }: ChangeGroup): string => {
  if (operations.length === 0) return title
  const shown = operations.slice(0, 2).map((it) => inlineCode(cutTo(it, 200)))
  const more = operations.length - shown.length
  return more === 0 ? shown.join(' and ') : `${shown.join(', ')} and ${plural(more, 'more operation')}`
}

const operationList = (operations: readonly string[]): readonly string[] =>
  operations.length <= 2
    ? []
    : [
        `<details><summary>${operations.length} operations</summary>`,
        '',
        ...operations.slice(0, mostOperations).map((it) => `- ${inlineCode(cutTo(it, 200))}`),
        ...(operations.length > mostOperations ? [`- … and ${operations.length - mostOperations} more`] : []),
        '',
        '</details>',
        '',
      ]

/** A text with a size limit: the first block that exceeds it and all later blocks are omitted. */
class Sheet {
  readonly #lines: string[] = []
  #left: number
  #isFull = false
  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Writes lines; whether there was room for them. */
  write(lines: readonly string[]): boolean {
    const size = sizeOf(lines.join('\n')) + 1
    if (size > this.#left) this.#isFull = true
    if (this.#isFull) return false
    this.#left -= size
    this.#lines.push(...lines)
    return true
  }

  /** Writes a mandatory block, for which space was reserved. */
  end(lines: readonly string[]): void {
    this.#lines.push(...lines)
  }

  get text(): string {
    return `${this.#lines.join('\n').trimEnd()}\n`
  }
}

/** Writes groups until the sheet is full; answers how many changes were written. */
const writeGroups = (
  sheet: Sheet,
  groups: readonly ChangeGroup<ToldChange>[],
  heading: string,
  report: ChangeReport,
): number => {
  let written = 0
  let file: string | null = null
  for (const group of groups) {
    const isNewFile = group.file !== null && group.file !== file
    const above = isNewFile ? [`${heading} ${inlineCode(cutTo(group.file ?? '', 200))}`, ''] : []
    const own = group.file === null ? heading : `${heading}#`
    file = group.file
    for (const [index, change] of group.changes.entries()) {
      const head = index === 0 ? [...above, `${own} ${titleOf(group)}`, '', ...operationList(group.operations)] : []
      if (!sheet.write([...head, item(change, report)])) return written
      written += change.alike
    }
    sheet.write([''])
  }
  return written
}

const arrivals: ReadonlySet<string> = new Set(['operation-added', 'webhook-added', 'tool-added', 'workflow-added'])

/** As in other formats, but added operations and schemas are one list, because their messages would repeat their names. */
const foldedGroups = (changes: readonly Change[]): readonly ChangeGroup<ToldChange>[] => {
  const told = tellOnce(changes)
  const added = told.filter((it) => arrivals.has(it.id))
  const rest = groupChanges(told.filter((it) => !arrivals.has(it.id)))
  return added.length === 0
    ? rest
    : [
        ...[...Map.groupBy(added, ({ file }) => file ?? null)].map(([file, its]) => ({
          file,
          title: 'New',
          operations: [],
          changes: its,
        })),
        ...rest,
      ].toSorted((a, b) => compareText(a.file ?? '', b.file ?? ''))
}

const closing = ['</details>', '']

const writeFolded = (sheet: Sheet, changes: readonly Change[], noun: string, report: ChangeReport): number => {
  if (changes.length === 0 || !sheet.write([`<details><summary>${plural(changes.length, noun)}</summary>`, '']))
    return 0
  const written = writeGroups(sheet, foldedGroups(changes), '####', report)
  sheet.end(closing)
  return written
}

/** What stays the same over the runs of one comparison, so that a comment can be found and updated. */
export const markerOf = (report: Pick<ChangeReport, 'base' | 'head'>): string => {
  // A side that is a stored version names the project, whichever it is.
  const stored = [report.base, report.head].find((side) => /^[^/@\\]+@[^/\\]+$/.test(side))
  const name = (stored ?? report.head)
    .split('@')[0]!
    .replaceAll(/[^\w./-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
  return `<!-- svc-diff: ${name} -->`
}

const symbols = { breaking: '🛑', 'non-breaking': '✅', 'docs-only': '✅' } as const

const cutNotice = (shown: number, report: ChangeReport): readonly string[] => [
  `> **${report.changes.length - shown} of ${plural(report.changes.length, 'change')} are not shown:** comments are limited to 65,536 characters. The JSON and HTML reports contain all of them.`,
]

const gradeLines = ({ grade }: ChangeReport): readonly string[] => {
  if (grade === undefined || grade.after === null) return []
  const before = grade.before === null || grade.before === grade.after ? '' : ` (before: ${grade.before})`
  return [`Lint grade: **${grade.after}**${before}`, '']
}

/**
 * Markdown for a pull request: the verdict first, what breaks with its proof, affected consumers, and the rest collapsed. It begins with a hidden
 * marker of the project, and stays below GitHub's size limit for comments.
 */
export const changesAsMarkdown = (report: ChangeReport): string => {
  const symbol = report.maxSeverity === null ? '✅' : symbols[report.maxSeverity]
  const breaking = withSeverity(report, 'breaking')
  const known = report.consumers?.flatMap(({ name, impact }) => (impact === null ? [] : [{ ...impact, name }]))
  // For consumers that only declared operations, the changes already say everything.
  const impacts = known?.length === report.consumers?.length && known ? consumersAsMarkdown(known, report.changes) : ''
  const head = [
    markerOf(report),
    `## ${symbol} ${headlineOf(report)}`,
    '',
    `${sentence(report.verdict)} ${inlineCode(report.base)} → ${inlineCode(report.head)}`,
    '',
    ...gradeLines(report),
  ]
  const kept = sizeOf([...head, ...closing, ...closing, ...cutNotice(0, report)].join('\n')) + 10
  const sheet = new Sheet(mostBytes - kept)
  sheet.end(head)
  let shown = writeGroups(sheet, groupChanges(tellOnce(breaking)), '###', report)
  if (impacts !== '') sheet.write([impacts])
  shown += writeFolded(sheet, withSeverity(report, 'non-breaking'), 'non-breaking change', report)
  shown += writeFolded(sheet, withSeverity(report, 'docs-only'), 'documentation change', report)
  if (shown < report.changes.length) sheet.end(cutNotice(shown, report))
  return sheet.text
}
