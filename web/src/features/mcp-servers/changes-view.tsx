import { useQuery } from '@tanstack/react-query'
import type { McpEndpoint, McpSurfaceDiff } from '../../../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { Badge, Severity, type Tone } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/count.ts'
import { Form, TextField, useForm } from '../../parts/form.tsx'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section, Toolbar, Words } from '../../parts/page.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { diffQuery, refreshServers, serverParams, serverQuery, type ServerRef } from './queries.ts'
import { countsWords, shortPrint } from './words.ts'

type Item = McpSurfaceDiff['items'][number]

const actionTones: Readonly<Record<Item['action'], Tone>> = { added: 'info', removed: 'danger', changed: 'warn' }

const partLooks = {
  same: '',
  removed: 'bg-danger-wash text-danger line-through',
  added: 'bg-ok-wash text-ok',
} as const

const Text = ({ it }: { it: Item['texts'][number] }) => (
  <div className="grid gap-1">
    <p className="text-xs text-soft">
      <code className="font-mono">{it.pointer}</code>
    </p>
    <p className="max-w-[90ch] rounded-md border px-2.5 py-1.5 text-sm whitespace-pre-wrap wrap-anywhere">
      {it.parts.map((part, index) => (
        <span key={`${index} ${part.kind}`} className={partLooks[part.kind]}>
          {part.kind === 'same' ? null : <span className="sr-only">{part.kind}: </span>}
          {part.text}
        </span>
      ))}
    </p>
    {it.hidden.length > 0 ? (
      <p className="text-sm text-danger">Hidden in the new text: {it.hidden.join('; ')}</p>
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

const Changed = ({ it }: { it: Item }) => (
  <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="text-xs text-soft">{it.kind}</span>
      <h2 className="min-w-0 font-mono text-sm font-semibold wrap-anywhere">{it.key}</h2>
      <Badge tone={actionTones[it.action]}>{it.action}</Badge>
      <Severity severity={it.severity} />
    </div>
    {it.changes.map((change) => (
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
    {it.change_count > it.changes.length ? (
      <p className="text-sm text-soft">{count(it.change_count - it.changes.length, 'more change', 'more changes')}</p>
    ) : null}
    {it.texts.map((text) => (
      <Text key={text.pointer} it={text} />
    ))}
  </li>
)

const Diff = ({ diff }: { diff: McpSurfaceDiff }) =>
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
        {diff.items.map((it) => (
          <Changed key={`${it.kind} ${it.key}`} it={it} />
        ))}
      </ul>
      {diff.more > 0 ? (
        <p className="text-sm text-soft">{count(diff.more, 'more item', 'more items')} changed.</p>
      ) : null}
    </>
  )

/** Approves the very surface that the page shows. */
const Approve = ({ at, it, fingerprint }: { at: ServerRef; it: McpEndpoint; fingerprint: string }) => {
  const form = useForm({ note: '' }, async ({ note }) => {
    await call(mcpServersApi.approve, {
      params: serverParams(at),
      body: { fingerprint, note: note.trim() || null },
    })
    await refreshServers(at.tenant)
  })
  return (
    <Section
      title="Approve"
      description={`Approves ${countsWords(it.counts)} with the fingerprint ${shortPrint(fingerprint)}. The registry lists the server then; any other surface is reported as drift.`}
    >
      <div className="card p-4">
        <Form change={form} submit={`Approve ${shortPrint(fingerprint)}`}>
          <TextField label="Note (optional)" {...form.bind('note')} />
        </Form>
      </div>
    </Section>
  )
}

const Body = ({ at, it, from, to }: { at: ServerRef; it: McpEndpoint; from: string; to: string }) => {
  const identity = useQuery(identityQuery)
  const isCompared = from !== '' && to !== '' && from !== to
  const diff = useQuery({ ...diffQuery(at, from, to), enabled: isCompared })
  const may = holds(identity.data, at.tenant, 'mcp:govern')
  const isPending = it.observed !== null && it.observed.fingerprint !== it.approved?.fingerprint
  const isCurrent = to === it.observed?.fingerprint
  return (
    <>
      <Toolbar>
        <span className="text-sm text-soft">{isCompared ? `${shortPrint(from)} → ${shortPrint(to)}` : ''}</span>
        <CommandHint command={svcCommand(at.tenant, ['mcp-server', 'diff', at.endpoint])} />
      </Toolbar>
      {isCompared ? (
        <Read query={diff} what="the changes">
          {(found) => <Diff diff={found} />}
        </Read>
      ) : (
        <Empty title={it.observed === null ? 'Never observed' : 'Nothing to compare'}>
          <p>
            {it.observed === null
              ? 'There is nothing to compare before the server was observed.'
              : from === to && from !== ''
                ? 'Nothing changed since the approval.'
                : 'It was observed, and neither declared nor approved with tools. The tab Surface shows what it offers.'}
          </p>
        </Empty>
      )}
      {isPending && isCurrent && it.observed !== null ? (
        may ? (
          <Approve key={it.observed.fingerprint} at={at} it={it} fingerprint={it.observed.fingerprint} />
        ) : (
          <p className="text-sm text-soft">{needs('mcp:govern', 'Approving it')}</p>
        )
      ) : null}
    </>
  )
}

/** What changed since the approval (or against the declaration), and the approval of it. */
export const ChangesView = ({ at, from, to }: { at: ServerRef; from: string; to: string }) => {
  const server = useQuery(serverQuery(at))
  return (
    <Read query={server} what="the MCP server">
      {(it) => (
        <Body
          at={at}
          it={it}
          from={from || (it.approved?.fingerprint ?? it.declared?.fingerprint ?? '')}
          to={to || (it.observed?.fingerprint ?? '')}
        />
      )}
    </Read>
  )
}
