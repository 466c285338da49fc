import { useState } from 'react'
import type { ComparisonRecord } from '../../../../src/api/primitive-shapes.ts'
import { count } from '../../parts/text.ts'
import { writeJson } from '../../parts/json.tsx'
import { TextDiff } from '../../parts/text-diff.tsx'
import type { ChangeContext } from '../comparison/change-proof.tsx'
import { ChangeRow } from '../comparison/change-row.tsx'
import { toldOf } from '../comparison/changes.ts'
import type { Change } from '../comparison/queries.ts'
import { verdictOf } from './comparison.ts'

const looks = {
  danger: 'border-transparent bg-danger-wash',
  warn: 'border-transparent bg-warn-wash',
  ok: 'border-ok bg-ok-wash text-ok',
} as const

const noConsumers: ChangeContext['consumers'] = new Map()

interface Sides {
  readonly compared: ComparisonRecord
  /** What the sides are called in sentences. */
  readonly base: string
  readonly head: string
}

/** What a comparison comes to. */
export const VerdictCard = ({ compared, base, head }: Sides) => {
  const { title, words, tone } = verdictOf(compared, base, head)
  return (
    <div role="status" className={`card grid gap-0.5 px-4 py-3 ${looks[tone]}`}>
      <p className="text-lg font-semibold">{title}</p>
      <p className="text-sm wrap-anywhere">{words}</p>
    </div>
  )
}

/** A change that is open until it is closed: types have few of them. */
const Row = ({ change, around }: { change: Change; around: ChangeContext }) => {
  const [isOpen, setOpen] = useState(true)
  const told = toldOf(change, [change])
  return <ChangeRow told={told} around={around} isChosen={isOpen} onChoose={() => setOpen(!isOpen)} />
}

/** Each change of a type with its counterexample, and the lines that differ. */
export const ChangesView = ({ tenant, compared, base, head }: Sides & { tenant: string }) => {
  const around: ChangeContext = {
    tenant,
    base: { label: base, digest: '' },
    head: { label: head, digest: '' },
    sides: null,
    consumers: noConsumers,
    onPastedLine: () => {},
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {compared.changes.length === 0 ? null : (
        <ul className="card divide-y" aria-label="Changes">
          {compared.changes.map((it) => (
            <li key={it.fingerprint}>
              <Row change={it} around={around} />
            </li>
          ))}
        </ul>
      )}
      {compared.total > compared.changes.length ? (
        <p className="text-sm text-soft">
          {count(compared.total - compared.changes.length, 'change', 'changes')} more; the lines below show all of them.
        </p>
      ) : null}
      <TextDiff
        title="Lines"
        label="Changed lines of the schema"
        before={writeJson(compared.base.schema)}
        after={writeJson(compared.head.schema)}
      />
    </div>
  )
}
