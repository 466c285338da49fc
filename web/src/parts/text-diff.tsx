import { Fragment, useMemo } from 'react'
import { diffLines } from 'diff'
import { changedRows, type DiffLine as NumberedLine, type DiffRow, sameRow } from './diff-pairs.ts'
import { DiffRows } from './diff-rows.tsx'
import { Section } from './page.tsx'

/** One line of the comparison of two texts: kept, removed or added. */
interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Beyond so many changed lines the search for the shortest comparison takes too long for a page. */
const mostEdits = 4000

const mark = (kind: DiffLine['kind'], text: string): DiffLine[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => ({ kind, text: line }))

const kindOf = (added: boolean, removed: boolean): DiffLine['kind'] => {
  if (added) return 'new'
  return removed ? 'gone' : 'same'
}

/**
 * Compares two texts line by line.
 * @returns The lines of both in reading order with as few changes as there are; the whole of both where the two have
 * more than 4,000 different lines.
 */
export const compareLines = (before: string, after: string): DiffLine[] => {
  // The last line counts the same with and without a line break.
  const [a, b] = [before, after].map((it) => (it === '' || it.endsWith('\n') ? it : `${it}\n`)) as [string, string]
  const parts = diffLines(a, b, { maxEditLength: mostEdits })
  if (parts === undefined) return [...mark('gone', a), ...mark('new', b)]
  return parts.flatMap(({ value, added, removed }) => mark(kindOf(added, removed), value))
}

/** Unchanged lines are shown only around changed ones. */
const around = 3

/** The lines of both texts as rows, in parts between which lines are left out. */
const partsOf = (lines: readonly DiffLine[]): readonly (readonly DiffRow[])[] => {
  const parts: DiffRow[][] = [[]]
  let [old, now] = [1, 1]
  let [gone, fresh]: [NumberedLine[], NumberedLine[]] = [[], []]
  const end = (): void => {
    parts.at(-1)?.push(...changedRows(gone, fresh))
    ;[gone, fresh] = [[], []]
  }
  lines.forEach(({ kind, text }, index) => {
    if (kind === 'gone') return void gone.push({ text, number: old++ })
    if (kind === 'new') return void fresh.push({ text, number: now++ })
    end()
    const [one, other] = [
      { text, number: old++ },
      { text, number: now++ },
    ]
    const near = lines.slice(Math.max(0, index - around), index + around + 1)
    if (near.some((it) => it.kind !== 'same')) parts.at(-1)?.push(sameRow(one, other))
    else if (parts.at(-1)?.length !== 0) parts.push([])
  })
  end()
  return parts.filter((it) => it.length > 0)
}

/** The lines that two texts do not share, with some around them, without a frame. */
export const DiffLines = ({
  label,
  before,
  after,
  role = 'group',
}: {
  label: string
  before: string
  after: string
  /** A landmark where there is one of its name on a page. */
  role?: 'group' | 'region'
}) => {
  const parts = useMemo(() => partsOf(compareLines(before, after)), [before, after])
  return (
    <div role={role} aria-label={label} tabIndex={0} className="max-h-80 overflow-auto py-2">
      {parts.map((rows, index) => (
        <Fragment key={rows[0]?.key}>
          {index === 0 ? null : <p className="px-3 text-xs text-soft">…</p>}
          <DiffRows rows={rows} narrow />
        </Fragment>
      ))}
    </div>
  )
}

/** The lines that two texts do not share, with some around them; nothing where the texts are equal. */
export const TextDiff = ({
  title,
  label,
  before,
  after,
}: {
  title: string
  /** What assistive technology calls the lines. */
  label: string
  before: string
  after: string
}) =>
  before === after ? null : (
    <Section title={title}>
      <div className="card">
        <DiffLines role="region" label={label} before={before} after={after} />
      </div>
    </Section>
  )
