import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { EditFinding } from '../../../../src/api/edits.ts'
import { Grade } from '../../parts/badge.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import type { VersionRef } from '../catalog/versions.ts'
import { outcomeQuery } from './queries.ts'

/** One fact that a decision is made by. */
const Tile = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="card grid content-start gap-1 px-4 py-3">
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="grid gap-1">{children}</dd>
  </div>
)

const mostShown = 20

const Findings = ({ title, all }: { title: string; all: readonly EditFinding[] }) =>
  all.length === 0 ? null : (
    <details className="card px-4 py-2.5 text-sm">
      <summary className="w-fit cursor-pointer font-medium">{title}</summary>
      <ul className="mt-2 grid gap-1.5">
        {all.slice(0, mostShown).map(({ fingerprint, code, severity, message, range }) => (
          <li key={fingerprint} className="grid gap-0.5">
            <span className="wrap-anywhere">{message}</span>
            <span className="text-xs text-soft">
              {severity}, <code>{code}</code>, line {range.start.line + 1}
            </span>
          </li>
        ))}
        {all.length > mostShown ? <li className="text-soft">{`${all.length - mostShown} more`}</li> : null}
      </ul>
    </details>
  )

const newAndGone = (added: readonly EditFinding[], gone: readonly EditFinding[]): string =>
  added.length === 0 && gone.length === 0
    ? 'the same as now'
    : `${count(added.length, 'new finding', 'new findings')}, ${gone.length.toLocaleString()} gone`

/** What taking the change means for the draft: its grade, its findings, and what breaks from the version before it. */
export const Aftermath = ({ at, text }: { at: VersionRef; text: string }) => (
  <Read query={useQuery(outcomeQuery(at, text))} what="what taking it means">
    {({ before, after, added, gone, totals, isWhole, changes }) => (
      <>
        <dl className="grid gap-3 sm:grid-cols-3">
          <Tile name="Lint grade of the draft">
            <span className="inline-flex items-center gap-2">
              <Grade grade={before.grade} />
              <span aria-hidden="true">→</span>
              <span className="sr-only">then</span>
              <Grade grade={after.grade} />
            </span>
          </Tile>
          <Tile name="Findings">
            <span className="text-sm">
              {isWhole ? newAndGone(added, gone) : totals.map((n) => n.toLocaleString()).join(' → ')}
            </span>
          </Tile>
          <Tile name={changes.base === null ? 'Breaking changes' : `Breaking changes from ${changes.base.label}`}>
            <span className="text-sm">
              {changes.base === null ? 'no version was published before' : changes.counts.breaking.toLocaleString()}
            </span>
          </Tile>
        </dl>
        {isWhole ? (
          <>
            <Findings title={count(added.length, 'new finding', 'new findings')} all={added} />
            <Findings title={count(gone.length, 'finding that is gone', 'findings that are gone')} all={gone} />
          </>
        ) : null}
      </>
    )}
  </Read>
)
