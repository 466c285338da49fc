import { useMemo } from 'react'
import { compareLines, type DiffLine } from './line-diff.ts'
import { Section } from './page.tsx'

const signs = { same: ' ', gone: '−', new: '+' } as const
const looks = { same: 'text-soft', gone: 'bg-danger-wash text-danger', new: 'bg-ok-wash text-ok' } as const
const spoken = { same: '', gone: 'removed: ', new: 'added: ' } as const

/** Unchanged lines are shown only around changed ones. */
const nearChanges = (lines: readonly DiffLine[]): (DiffLine | null)[] => {
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - 3), index + 4).some((it) => it.kind !== 'same'))
  return lines.flatMap((line, index) => (near[index] ? [line] : near[index - 1] ? [null] : []))
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
}) => {
  const lines = useMemo(() => nearChanges(compareLines(before, after)), [before, after])
  if (before === after) return null
  return (
    <Section title={title}>
      <div role="region" aria-label={label} tabIndex={0} className="card overflow-x-auto py-2">
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
    </Section>
  )
}
