import { useQuery } from '@tanstack/react-query'
import type { McpEndpoint, McpSurfaceDiff } from '../../../../src/api/mcp-server-shapes.ts'
import { Badge, Severity, type Tone } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Toolbar, Words } from '../../parts/page.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { FindingRow } from '../lint/finding-row.tsx'
import { ApproveSurface } from './approve-surface.tsx'
import { diffQuery, findingsQuery, serverQuery, surfaceQuery, type ServerRef } from './queries.ts'
import { addedTools, type RatedItem, rateItems } from './surface-risks.ts'
import { shortPrint } from './words.ts'

type Item = McpSurfaceDiff['items'][number]

const actionTones: Readonly<Record<Item['action'], Tone>> = { added: 'info', removed: 'danger', changed: 'warn' }

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

const Changed = ({ rated: { item: entry, risks, findings } }: { rated: RatedItem }) => (
  <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="text-xs text-soft">{entry.kind}</span>
      <h2 className="min-w-0 font-mono text-sm font-semibold wrap-anywhere">{entry.key}</h2>
      <Badge tone={actionTones[entry.action]}>{entry.action}</Badge>
      {/* What is safe for callers may still not be for whoever trusts the text. */}
      {risks.length > 0 && entry.severity !== 'breaking' ? null : <Severity severity={entry.severity} />}
      {risks.map(({ tone, text }) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
    </div>
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
    {findings.length === 0 ? null : (
      <ul className="divide-y rounded-md border" aria-label={`Findings in ${entry.key}`}>
        {findings.map((finding) => (
          <li key={finding.fingerprint}>
            <FindingRow
              at={null}
              finding={finding}
              excerpt={null}
              showRule
              builtin={finding.documentationUrl === null}
            />
          </li>
        ))}
      </ul>
    )}
  </li>
)

const Diff = ({ diff, rated }: { diff: McpSurfaceDiff; rated: readonly RatedItem[] }) =>
  diff.is_same ? (
    <Empty title="The same">
      <p>Both surfaces are the same, to the last character.</p>
    </Empty>
  ) : (
    <>
      <p>
        {Object.entries(diff.counts)
          .filter(([, n]) => n > 0)
          .map(([severity, n]) => `${n} ${severity}`)
          .join(', ')}
        {diff.is_same_meaning ? ' Names and schemas are the same: only texts and annotations changed.' : ''}
      </p>
      <ul className="card divide-y" aria-label="Changes">
        {rated.map((it) => (
          <Changed key={`${it.item.kind} ${it.item.key}`} rated={it} />
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
  const isCompared = from !== '' && to !== '' && from !== to
  const diff = useQuery({ ...diffQuery(at, from, to), enabled: isCompared })
  const surface = useQuery({ ...surfaceQuery(at, to), enabled: isCompared })
  // What is linted is what was observed last: beside another surface its findings would be wrong.
  const isObserved = to === endpoint.observed?.fingerprint
  const report = useQuery({ ...findingsQuery(at, seenOf(endpoint)), enabled: isCompared && isObserved })
  const found = report.data?.fingerprint === to ? report.data.findings : []
  const both = { ...diff, data: diff.data && surface.data && { diff: diff.data, surface: surface.data } }
  const may = holds(identity.data, at.tenant, 'mcp:govern')
  const isPending = endpoint.observed !== null && endpoint.observed.fingerprint !== endpoint.approved?.fingerprint
  const awaitsApproval = isPending && to === endpoint.observed?.fingerprint
  return (
    <>
      <Toolbar>
        <span className="text-sm text-soft">{isCompared ? `${shortPrint(from)} → ${shortPrint(to)}` : ''}</span>
        <CommandHint command={svcCommand(at.tenant, ['mcp-server', 'diff', at.endpoint])} />
      </Toolbar>
      {isCompared ? (
        <Read query={surface.error ? { ...both, error: surface.error } : both} what="the changes">
          {({ diff: compared, surface: now }) => <Diff diff={compared} rated={rateItems(compared.items, now, found)} />}
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
          key={endpoint.observed.fingerprint}
          added={isCompared ? diff.data && addedTools(diff.data.items) : []}
          at={at}
          endpoint={endpoint}
          fingerprint={endpoint.observed.fingerprint}
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
          at={at}
          endpoint={endpoint}
          from={from || (endpoint.approved?.fingerprint ?? endpoint.declared?.fingerprint ?? '')}
          to={to || (endpoint.observed?.fingerprint ?? '')}
        />
      )}
    </Read>
  )
}
