import type { ReactNode } from 'react'
import type { Gate } from '../../../../src/api/versions.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Words } from '../../parts/page.tsx'

// Unknown is never shown as passed: it has a word and a colour of its own.
const tones: Record<Gate['status'], Tone> = {
  pass: 'ok',
  warn: 'warn',
  fail: 'danger',
  skipped: 'plain',
  unknown: 'warn',
}

/** The gates of publishing, each with its result and the reason. */
export const GateList = ({
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
        <span className="font-mono text-sm">{gate.id}</span>
        <span className="min-w-0 break-words text-soft">
          <Words of={gate.message} />
        </span>
        {evidence?.(gate)}
      </li>
    ))}
  </ul>
)
