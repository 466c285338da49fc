import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Gate } from '../../../../src/api/versions.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Words } from '../../parts/page.tsx'
import { Unread } from '../../parts/states.tsx'
import { readinessQuery, type VersionRef } from '../catalog/versions.ts'
import type { ListName } from './places-list.tsx'
import { gateName } from '../catalog/gates.tsx'

/** Which list shows what a gate looked at. */
const listOf: Readonly<Record<string, ListName>> = {
  'document-valid': 'findings',
  'unresolved-refs': 'findings',
  'lint-grade': 'findings',
  'lint-findings': 'findings',
  'breaking-guardrail': 'changes',
  'semver-consistent': 'changes',
  'gateway-impact': 'changes',
  'threads-resolved': 'threads',
}

/** What to do next about a gate that is not passed. */
const steps: Readonly<Record<string, string>> = {
  'document-valid': 'Fix the errors of the document.',
  'unresolved-refs': 'Add the missing definitions, or change the references.',
  'lint-grade': 'Fix findings, the most expensive rules first.',
  'lint-findings': 'Fix the findings, or change the rule in the style guide.',
  'breaking-guardrail': 'Undo the breaking changes, or have them approved if the policy allows it.',
  'semver-consistent': 'Give the draft a version number that the changes allow.',
  compat: 'Run the second tool on the draft, or withdraw its findings.',
  'consumer-impact': 'Talk to the affected consumers, or undo the change.',
  'gateway-impact': 'Update the clients first, or undo the change.',
  approval: 'Request a review, or wait for those who were asked.',
  'threads-resolved': 'Answer and resolve the open threads.',
}

const tones: Readonly<Record<Gate['status'], Tone>> = {
  pass: 'ok',
  warn: 'warn',
  fail: 'danger',
  skipped: 'plain',
  unknown: 'warn',
}

const Way = ({ at, gate, onList }: { at: VersionRef; gate: Gate; onList: (list: ListName) => void }): ReactNode => {
  const list = listOf[gate.id]
  if (list !== undefined)
    return (
      <button type="button" className="link text-sm" onClick={() => onList(list)}>
        Show the {list}
        <span className="sr-only"> for {gateName(gate.id)}</span>
      </button>
    )
  if (gate.id === 'consumer-impact')
    return (
      <Link to="/t/$tenant/$project/-/consumers" params={{ ...at }} className="link text-sm">
        Consumers
      </Link>
    )
  return null
}

const Gates = ({
  label,
  at,
  gates,
  onList,
}: {
  label: string
  at: VersionRef
  gates: readonly Gate[]
  onList: (list: ListName) => void
}) =>
  gates.length === 0 ? null : (
    <ul className="divide-y" aria-label={label}>
      {gates.map((gate) => (
        <li key={gate.id} className="grid gap-0.5 px-4 py-2 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={tones[gate.status]}>{gate.status === 'fail' ? 'blocks' : gate.status}</Badge>
            <span className="font-medium">{gateName(gate.id)}</span>
          </p>
          <p className="min-w-0 wrap-anywhere">
            <Words of={gate.message} />
          </p>
          <p className="flex flex-wrap gap-x-2 text-soft">
            {steps[gate.id] ?? 'See the gates.'}
            <Way at={at} gate={gate} onList={onList} />
          </p>
        </li>
      ))}
    </ul>
  )

/** What the gates of a draft come to, in a few words. */
const summaryOf = (blocking: readonly Gate[], warning: readonly Gate[]): string => {
  if (blocking.length > 0) return count(blocking.length, 'gate blocks', 'gates block')
  return warning.length > 0 ? count(warning.length, 'gate warns', 'gates warn') : 'all gates are met'
}

/** The gates that a draft does not pass, in one word on the line above the changes; opened they are listed, what blocks first. */
export const Blocking = ({
  at,
  isAsked,
  onList,
}: {
  at: VersionRef
  /** Whether the gates are evaluated yet. */
  isAsked: boolean
  onList: (list: ListName) => void
}) => {
  const readiness = useQuery({ ...readinessQuery(at), enabled: isAsked })
  if (readiness.error) return <Unread error={readiness.error} onRetry={() => void readiness.refetch()} />
  // What takes seconds does not move the changes when it comes.
  if (readiness.data === undefined) return <span className="text-sm text-soft">Evaluating the gates …</span>
  const { ready, gates } = readiness.data
  const blocking = gates.filter((it) => it.status === 'fail')
  const warning = gates.filter((it) => it.status === 'warn' || it.status === 'unknown')
  return (
    <details className="open:w-full" aria-label="What publishing needs">
      <summary className="flex min-h-8 cursor-pointer items-center gap-x-3 text-sm">
        <Badge tone={ready ? 'ok' : 'danger'}>{ready ? 'can be published' : 'blocked'}</Badge>
        <span className="text-soft">{summaryOf(blocking, warning)}</span>
        <ChevronDown size={14} className="shrink-0 text-soft" aria-hidden="true" />
      </summary>
      <div className="card mt-1 divide-y">
        <Gates label="Gates that block" at={at} gates={blocking} onList={onList} />
        <Gates label="Gates that warn" at={at} gates={warning} onList={onList} />
        <p className="px-4 py-2 text-sm">
          <Link to="/t/$tenant/$project/$version" params={{ ...at }} hash="gates" className="link">
            All gates
          </Link>
        </p>
      </div>
    </details>
  )
}
