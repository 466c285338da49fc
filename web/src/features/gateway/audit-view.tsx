import { useQuery } from '@tanstack/react-query'
import type { SecurityAuditRow } from '../../../../src/api/gateway-record-shapes.ts'
import { gatewayRecordsApi } from '../../../../src/api/gateway-records.ts'
import { groupOf } from '../../../../src/gateway-policy/door.ts'
import { callText } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { useDownload } from '../../parts/download.ts'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { auditQuery, type EnvironmentAt, environmentInput, refreshEnvironments } from './queries.ts'

const actionWords: Readonly<Record<string, string>> = {
  'environment.created': 'created the environment',
  'environment.changed': 'changed the environment',
  'environment.deleted': 'deleted the environment',
  'presets.set': 'changed the presets',
  'managed-group.set': 'changed the mode of',
  'rule.created': 'added',
  'rule.changed': 'changed',
  'rule.removed': 'removed',
  'rule.restored': 'restored',
  'exception.created': 'added',
  'exception.removed': 'removed',
  'policy.restored': 'restored',
  'approval.requested': 'asked for',
  'approval.given': 'gave',
  'approval.withdrawn': 'ended',
  'approval.applied': 'applied',
  'approval.not-applied': 'could not apply',
  'audit.exported': 'exported the audit trail',
  'events.imported': 'imported recorded events',
}

const wordIn = (value: unknown, name: string): string | null => {
  const found: unknown = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null
  return typeof found === 'string' && found !== '' ? found : null
}

/** What a row is about, by its name where the row holds one. */
const targetWords = ({ target, before, after }: SecurityAuditRow): string => {
  const [kind, id] = target?.split(/:(.*)/s) ?? []
  if (kind === undefined || id === undefined) return ''
  if (kind === 'group') return `the group ${groupOf(id)?.title ?? id}`
  if (kind === 'version') return `version ${id}`
  const name = wordIn(after, 'name') ?? wordIn(before, 'name')
  if (name !== null) return `the ${kind} “${name}”`
  const scope = [after, before].flatMap((it) =>
    typeof it === 'object' && it !== null && 'scope' in it
      ? [wordIn(it.scope, 'route') ?? wordIn(it.scope, 'path')]
      : [],
  )[0]
  if (scope) return `the ${kind} for ${scope}`
  const summary = typeof after === 'object' && after !== null && 'summary' in after ? after.summary : null
  return Array.isArray(summary) ? `the ${kind}: ${summary.join(' ')}` : `the ${kind} ${id}`
}

const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))

const Row = ({ entry }: { entry: SecurityAuditRow }) => {
  const holdsValues = entry.before !== null || entry.after !== null
  return (
    <li className="grid gap-1 px-4 py-2.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <span className="min-w-0 grow basis-72 wrap-anywhere">
          <span className="font-medium">{entry.actorName}</span> {actionWords[entry.action] ?? entry.action}{' '}
          {targetWords(entry)}
        </span>
        <span className="text-xs text-soft">policy {entry.policyVersion}</span>
        <span className="text-soft">
          <Moment at={entry.at} exact />
        </span>
      </p>
      {entry.reason === null ? null : <p className="wrap-anywhere text-soft">Reason: {entry.reason}</p>}
      <details>
        <summary className="cursor-pointer text-xs text-soft">
          Row {entry.seq}, <span className="font-mono">{entry.action}</span>
        </summary>
        <div className="mt-1 grid gap-1 text-xs">
          {holdsValues
            ? (['before', 'after'] as const).map((side) =>
                entry[side] === null ? null : (
                  <div key={side}>
                    <p className="text-soft">{side}</p>
                    <pre className="font-mono break-all whitespace-pre-wrap">{say(entry[side])}</pre>
                  </div>
                ),
              )
            : null}
          <p className="font-mono break-all text-soft">{entry.hash}</p>
        </div>
      </details>
    </li>
  )
}

/** The audit trail of an environment, newest first. */
export const AuditView = ({ at, offset }: { at: EnvironmentAt; offset: number }) => {
  const audit = useQuery(auditQuery(at, offset))
  const identity = useQuery(identityQuery)
  const download = useDownload()
  const { move } = useAddress()
  const mayExport = holds(identity.data, at.tenant, 'security:export')
  const save = (): void =>
    download.mutate({
      name: `security-audit-${at.environment}.csv`,
      type: 'text/csv',
      read: async () => {
        const { text } = await callText(gatewayRecordsApi.exportAudit, environmentInput(at))
        await refreshEnvironments(at.tenant)
        return text
      },
    })
  return (
    <Section
      title="Audit trail"
      description="Every change, who made it and why. No row can be changed or removed: each holds the digest of the one before, and svc doctor follows them."
      actions={
        mayExport ? (
          <Button busy={download.isPending} onClick={save}>
            Export as CSV
          </Button>
        ) : null
      }
    >
      {download.error ? <Failure error={download.error} /> : null}
      <CommandHint command={svcCommand(at.tenant, ['gateway', 'audit', at.environment])} />
      <Listing
        query={audit}
        what="the audit trail"
        one="row"
        onMove={move}
        empty={
          <Empty title="No rows yet">
            <p>Changes of the policy will be listed here.</p>
          </Empty>
        }
      >
        {(items) => (
          <ol className="card divide-y" aria-label="Audit trail">
            {items.map((it) => (
              <Row key={it.id} entry={it} />
            ))}
          </ol>
        )}
      </Listing>
    </Section>
  )
}
