import { useMemo } from 'react'
import { Section } from './page.tsx'
import { diffLines } from 'diff'

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

const signs = { same: ' ', gone: '−', new: '+' } as const
const looks = { same: 'text-soft', gone: 'bg-danger-wash text-danger', new: 'bg-ok-wash text-ok' } as const
const spoken = { same: '', gone: 'removed: ', new: 'added: ' } as const

/** Unchanged lines are shown only around changed ones. */
const nearChanges = (lines: readonly DiffLine[]): (DiffLine | null)[] => {
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - 3), index + 4).some((it) => it.kind !== 'same'))
  return lines.flatMap((line, index) => {
    if (near[index]) return [line]
    return near[index - 1] ? [null] : []
  })
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
  const lines = useMemo(() => nearChanges(compareLines(before, after)), [before, after])
  return (
    <div role={role} aria-label={label} tabIndex={0} className="max-h-80 overflow-auto py-2">
      <ol className="w-max min-w-full font-mono text-xs leading-5">
        {lines.map((line, index) =>
          line === null ? (
            <li key={`gap ${index}`} className="px-3 text-soft">
              …
            </li>
          ) : (
            <li key={`${index} ${line.text}`} className={`flex gap-3 px-3 whitespace-pre ${looks[line.kind]}`}>
              <span aria-hidden="true" className="select-none">
                {signs[line.kind]}
              </span>
              <span className="sr-only">{spoken[line.kind]}</span>
              {line.text === '' ? ' ' : line.text}
            </li>
          ),
        )}
      </ol>
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
