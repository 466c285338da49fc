import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { McpEndpoint, McpSurfaceDiff } from '../../../../src/api/mcp-server-shapes.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { CheckField } from '../../parts/form.tsx'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Words } from '../../parts/page.tsx'
import { Empty, needs, Notice } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { FindingRow } from '../lint/finding-row.tsx'
import { ApproveSurface } from './approve-surface.tsx'
import { diffQuery, findingsQuery, serverQuery, surfaceQuery, type ServerRef } from './queries.ts'
import { addedTools, countLevels, type Levels, levelOf, type RatedItem, rateItems } from './surface-risks.ts'
import { countsWords, shortPrint } from './words.ts'

type Item = McpSurfaceDiff['items'][number]

const partLooks = {
  same: '',
  removed: 'bg-danger-wash text-danger line-through',
  added: 'bg-ok-wash text-ok',
} as const

const Text = ({ text }: { text: Item['texts'][number] }) => (
  <div className="grid gap-1">
    <p className="text-xs text-soft">
      <code className="font-mono">{text.pointer}</code>
    </p>
    <p className="max-w-[90ch] rounded-md border px-2.5 py-1.5 text-sm whitespace-pre-wrap wrap-anywhere">
      {text.parts.map((part, index) => (
        <span key={`${index} ${part.kind}`} className={partLooks[part.kind]}>
          {part.kind === 'same' ? null : <span className="sr-only">{part.kind}: </span>}
          {part.text}
        </span>
      ))}
    </p>
    {text.hidden.length > 0 ? (
      <p className="text-sm text-danger">Hidden in the new text: {text.hidden.join('; ')}</p>
    ) : null}
  </div>
)

/** A value that one side accepts and the other refuses. */
const Witness = ({ of }: { of: unknown }) => {
  const { value, reason } = (of ?? {}) as { readonly value?: unknown; readonly reason?: string }
  if (value === undefined) return null
  return (
    <div className="grid gap-1 text-sm">
      <p className="text-soft">For example, {reason}:</p>
      <SmallJson value={value} label={`For example, ${reason ?? ''}`} />
    </div>
  )
}

const levels = {
  high: { name: 'high risk', tone: 'danger' },
  raised: { name: 'raised', tone: 'warn' },
  low: { name: 'low', tone: 'info' },
} as const

const actionWords: Readonly<Record<Item['action'], string>> = { added: 'added', removed: 'removed', changed: 'changed' }

/** The risks of a part, each on a line, the gravest first. */
const Risks = ({ risks, of }: { risks: RatedItem['risks']; of: string }) =>
  risks.length === 0 ? null : (
    <ul aria-label={`Risks of ${of}`} className="grid gap-1">
      {risks.map(({ tone, text }) => (
        <li key={text}>
          <Badge tone={tone}>{text}</Badge>
        </li>
      ))}
    </ul>
  )

const Findings = ({ findings, of }: { findings: RatedItem['findings']; of: string }) =>
  findings.length === 0 ? null : (
    <ul className="divide-y rounded-md border" aria-label={`Findings in ${of}`}>
      {findings.map((finding) => (
        <li key={finding.fingerprint}>
          <FindingRow at={null} finding={finding} excerpt={null} showRule builtin={finding.documentationUrl === null} />
        </li>
      ))}
    </ul>
  )

/** Says that a tool which the surface adds was looked at. */
export interface Reading {
  readonly read: ReadonlySet<string>
  readonly onRead: (tool: string, isRead: boolean) => void
}

const Changed = ({ rated, reading }: { rated: RatedItem; reading: Reading | null }) => {
  const { item: entry, risks, findings } = rated
  const level = levels[levelOf(rated)]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="w-24 max-md:w-auto">
          <Badge tone={level.tone}>{level.name}</Badge>
        </span>
        <h2 className="min-w-0 font-mono text-sm font-semibold wrap-anywhere">{entry.key}</h2>
        <span className="grow text-sm text-soft">
          {entry.kind} {actionWords[entry.action]}
        </span>
        {reading !== null && entry.kind === 'tool' && entry.action === 'added' ? (
          <CheckField checked={reading.read.has(entry.key)} onChange={(isRead) => reading.onRead(entry.key, isRead)}>
            I have read <code className="font-mono text-xs wrap-anywhere">{entry.key}</code>
          </CheckField>
        ) : null}
      </div>
      <Risks risks={risks} of={entry.key} />
      {entry.changes.map((change) => (
        <div key={`${change.id} ${change.message} ${change.head_pointer ?? ''}`} className="grid gap-1">
          <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <Severity severity={change.severity} />
            <span className="min-w-0 basis-56 grow wrap-anywhere">
              <Words of={change.message} />
            </span>
          </p>
          <Witness of={change.witness} />
        </div>
      ))}
      {entry.change_count > entry.changes.length ? (
        <p className="text-sm text-soft">
          {count(entry.change_count - entry.changes.length, 'more change', 'more changes')}
        </p>
      ) : null}
      {entry.texts.map((text) => (
        <Text key={text.pointer} text={text} />
      ))}
      <Findings findings={findings} of={entry.key} />
    </li>
  )
}

const verdictTone = ({ high, raised }: Levels): 'danger' | 'warn' | 'info' => {
  if (high > 0) return 'danger'
  return raised > 0 ? 'warn' : 'info'
}

/** What changed in one sentence, and which two surfaces were compared. */
const Verdict = ({
  diff,
  levels: found,
  from,
  to,
}: {
  diff: McpSurfaceDiff
  levels: Levels
  from: string
  to: string
}) => {
  const actions = (['added', 'changed', 'removed'] as const).flatMap((action) => {
    const number = diff.items.filter((it) => it.action === action).length
    return number === 0 ? [] : [`${number.toLocaleString()} ${action}`]
  })
  const risky = [
    ...(found.high > 0 ? [`${found.high.toLocaleString()} of them with high risk`] : []),
    ...(found.raised > 0 ? [`${found.raised.toLocaleString()} raised`] : []),
  ]
  const severities = Object.entries(diff.counts)
    .filter(([, n]) => n > 0)
    .map(([severity, n]) => `${n} ${severity}`)
  return (
    <Notice
      tone={verdictTone(found)}
      title={`${actions.join(', ')}${risky.length === 0 ? '' : `: ${risky.join(', ')}`}`}
    >
      {severities.join(', ')}, from <code className="font-mono text-xs">{shortPrint(from)}</code> to{' '}
      <code className="font-mono text-xs">{shortPrint(to)}</code>.
      {diff.is_same_meaning ? ' Names and schemas are the same: only texts and annotations changed.' : ''}
    </Notice>
  )
}

const Diff = ({
  diff,
  rated,
  from,
  to,
  reading,
}: {
  diff: McpSurfaceDiff
  rated: readonly RatedItem[]
  from: string
  to: string
  reading: Reading | null
}) =>
  diff.is_same ? (
    <Empty title="The same">
      <p>Both surfaces are the same, to the last character.</p>
    </Empty>
  ) : (
    <>
      <Verdict diff={diff} levels={countLevels(rated)} from={from} to={to} />
      <ul className="card divide-y" aria-label="Changes">
        {rated.map((it) => (
          <Changed key={`${it.item.kind} ${it.item.key}`} rated={it} reading={reading} />
        ))}
      </ul>
      {diff.more > 0 ? (
        <p className="text-sm text-soft">{count(diff.more, 'more item', 'more items')} changed.</p>
      ) : null}
    </>
  )

const seenOf = ({ observed, declared }: McpEndpoint): string =>
  `${observed?.fingerprint ?? ''} ${declared?.manifest_id ?? ''}`

const nothingWords = (from: string, to: string): string =>
  from === to && from !== ''
    ? 'Nothing changed since the approval.'
    : 'The server was observed, but not declared or approved with tools. The tab Surface shows what it offers.'

const Body = ({ at, endpoint, from, to }: { at: ServerRef; endpoint: McpEndpoint; from: string; to: string }) => {
  const identity = useQuery(identityQuery)
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const isCompared = from !== '' && to !== '' && from !== to
  const diff = useQuery({ ...diffQuery(at, from, to), enabled: isCompared })
  const surface = useQuery({ ...surfaceQuery(at, to), enabled: isCompared })
  // What is linted is what was observed last: beside another surface its findings would be wrong.
  const isObserved = to === endpoint.observed?.fingerprint
  const report = useQuery({ ...findingsQuery(at, seenOf(endpoint)), enabled: isCompared && isObserved })
  const found = report.data?.fingerprint === to ? report.data.findings : []
  const rated = diff.data && surface.data && rateItems(diff.data.items, surface.data, found)
  const both = { ...diff, data: diff.data && rated && { diff: diff.data, rated } }
  const may = holds(identity.data, at.tenant, 'mcp:govern')
  const isPending = endpoint.observed !== null && endpoint.observed.fingerprint !== endpoint.approved?.fingerprint
  const awaitsApproval = isPending && to === endpoint.observed?.fingerprint
  const reading = {
    read,
    onRead: (tool: string, isRead: boolean) =>
      setRead(new Set(isRead ? [...read, tool] : [...read].filter((it) => it !== tool))),
  }
  return (
    <>
      <CommandHint command={svcCommand(at.tenant, ['mcp-server', 'diff', at.endpoint])} />
      {isCompared ? (
        <Read query={surface.error ? { ...both, error: surface.error } : both} what="the changes">
          {({ diff: compared, rated: items }) => (
            <Diff diff={compared} rated={items} from={from} to={to} reading={may && awaitsApproval ? reading : null} />
          )}
        </Read>
      ) : (
        <Empty title={endpoint.observed === null ? 'Never observed' : 'Nothing to compare'}>
          <p>
            {endpoint.observed === null
              ? 'There is nothing to compare until the server is observed.'
              : nothingWords(from, to)}
          </p>
        </Empty>
      )}
      {may && awaitsApproval && endpoint.observed !== null ? (
        <ApproveSurface
          at={at}
          fingerprint={endpoint.observed.fingerprint}
          risks={countLevels(rated ?? [])}
          added={isCompared ? diff.data && addedTools(diff.data.items) : []}
          read={read}
          offers={countsWords(endpoint.counts)}
        />
      ) : null}
      {awaitsApproval && !may ? <p className="text-sm text-soft">{needs('mcp:govern', 'Approving it')}</p> : null}
    </>
  )
}

/** What changed since the approval (or against the declaration), and the approval of it. */
export const ChangesView = ({ at, from, to }: { at: ServerRef; from: string; to: string }) => {
  const server = useQuery(serverQuery(at))
  return (
    <Read query={server} what="the MCP server">
      {(endpoint) => (
        <Body
          // Another surface is read anew.
          key={endpoint.observed?.fingerprint}
          at={at}
          endpoint={endpoint}
          from={from || (endpoint.approved?.fingerprint ?? endpoint.declared?.fingerprint ?? '')}
          to={to || (endpoint.observed?.fingerprint ?? '')}
        />
      )}
    </Read>
  )
}
