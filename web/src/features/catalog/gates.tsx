import type { ReactNode } from 'react'
import type { Gate } from '../../../../src/api/versions.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Words } from '../../parts/page.tsx'
import type { PolicySettings } from '../../../../src/api/style-guide-shapes.ts'

/** A gate that a policy has a level for. */
export type GateId = Exclude<keyof PolicySettings['policyGates'], 'minGrade' | 'failOn'>

/** The gates of a draft in the order of the readiness page, each with what it looks at. */
export const gateNames: Readonly<Record<GateId, { name: string; detail: string }>> = {
  'unresolved-refs': { name: 'Unresolved references', detail: 'A $ref cannot be resolved.' },
  'lint-grade': { name: 'Lint grade', detail: 'The grade is below the minimum.' },
  'lint-findings': { name: 'Lint findings', detail: 'There are findings of this severity or worse.' },
  'semver-consistent': { name: 'Semantic version', detail: 'The version number understates the change (semver).' },
  compat: { name: 'Compatibility evidence', detail: 'The report of a second tool is missing or disagrees.' },
  'consumer-impact': { name: 'Consumer impact', detail: 'A breaking change affects a registered consumer.' },
  'gateway-impact': { name: 'Gateway impact', detail: 'A gateway would refuse requests that it accepts now.' },
  'threads-resolved': { name: 'Open threads', detail: 'A thread on the draft is open.' },
  approval: { name: 'Approval', detail: 'A reviewer was asked and has not approved the draft.' },
}

/** The name of any gate for people: of one that is not known, its id. */
export const gateName = (id: string): string => {
  if (id === 'document-valid') return 'Valid document'
  if (id === 'breaking-guardrail') return 'Breaking changes'
  return id in gateNames ? gateNames[id as GateId].name : id
}

// Unknown is never shown as passed: it has a word and a colour of its own.
const tones: Record<Gate['status'], Tone> = {
  pass: 'ok',
  warn: 'warn',
  fail: 'danger',
  skipped: 'plain',
  unknown: 'warn',
}

/** Gates, each with its result and the reason. */
const GateList = ({
  gates,
  evidence,
}: {
  gates: readonly Gate[]
  /** Where to see what a gate looked at. */
  evidence?: (gate: Gate) => ReactNode
}) => (
  <ul className="card divide-y">
    {gates.map((gate) => (
      <li
        key={gate.id}
        className="grid items-baseline gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[5rem_11rem_minmax(0,1fr)_auto]"
      >
        <span>
          <Badge tone={tones[gate.status]}>{gate.status}</Badge>
        </span>
        <span className="text-sm font-medium" title={gate.id}>
          {gateName(gate.id)}
        </span>
        <span className="min-w-0 break-words text-soft">
          <Words of={gate.message} />
        </span>
        {evidence?.(gate)}
      </li>
    ))}
  </ul>
)

const isMet = ({ status }: Gate): boolean => status === 'pass' || status === 'skipped'
const rank: Readonly<Record<Gate['status'], number>> = { fail: 0, unknown: 1, warn: 2, pass: 3, skipped: 4 }

/** The gates of publishing: what fails and warns first; what is met is folded. */
export const Gates = ({
  gates,
  evidence,
}: {
  gates: readonly Gate[]
  /** Where to see what a gate looked at. */
  evidence?: (gate: Gate) => ReactNode
}) => {
  const open = gates.filter((it) => !isMet(it)).toSorted((a, b) => rank[a.status] - rank[b.status])
  const met = gates.filter(isMet)
  const shown = evidence === undefined ? {} : { evidence }
  return (
    <>
      {open.length > 0 ? <GateList gates={open} {...shown} /> : null}
      {met.length > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer text-sm text-soft">
            {count(met.length, 'gate is', 'gates are')} met or not required
          </summary>
          <div className="mt-2">
            <GateList gates={met} {...shown} />
          </div>
        </details>
      ) : null}
    </>
  )
}
