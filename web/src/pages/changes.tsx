import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Badge, Method, Severity } from '../parts/badge.tsx'
import { CommandHint, shellWord } from '../parts/copy.tsx'
import { Choices } from '../parts/choices.tsx'
import { count, Words } from '../parts/page.tsx'
import { Empty, Failure, Loading, NoMatch } from '../parts/states.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { type Change, diffQuery, type VersionRef, versionsQuery } from '../queries.ts'

const severities = ['breaking', 'non-breaking', 'docs-only'] as const

const brief = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)} …` : text
}

const witnessWords = (witness: unknown): string | null => {
  if (typeof witness !== 'object' || witness === null || !('value' in witness)) return null
  const { value, acceptedBy } = witness as { value: unknown; acceptedBy?: unknown }
  return `${brief(value)} is accepted by the ${acceptedBy === 'head' ? 'newer' : 'older'} version only`
}

const ChangeRow = ({ change }: { change: Change }) => {
  const witness = witnessWords(change.witness)
  return (
    <div className="grid gap-1 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <Severity severity={change.severity} />
        {change.classification === 'unknown' ? <Badge tone="warn">undecided</Badge> : null}
        {change.direction ? <Badge>{change.direction}</Badge> : null}
        <span className="font-mono text-xs text-soft">{change.id}</span>
      </p>
      {change.method !== null || change.path !== null ? (
        <p className="flex items-baseline">
          {change.method === null ? null : <Method method={change.method} />}
          <span className="font-mono text-sm break-all">{change.path}</span>
        </p>
      ) : null}
      <p>
        <Words of={change.message} />
      </p>
      {change.before !== null || change.after !== null ? (
        <p className="font-mono text-xs break-all">
          {change.before === null ? null : (
            <del className="rounded bg-danger-wash px-1 text-danger no-underline">
              <span className="sr-only">before: </span>
              {brief(change.before)}
            </del>
          )}
          {change.before === null || change.after === null ? null : <span aria-hidden="true"> → </span>}
          {change.after === null ? null : (
            <ins className="rounded bg-ok-wash px-1 text-ok no-underline">
              <span className="sr-only">after: </span>
              {brief(change.after)}
            </ins>
          )}
        </p>
      ) : null}
      {witness ? <p className="text-sm text-soft">Proof: {witness}.</p> : null}
      {change.operations.length > 1 ? (
        <p className="text-xs text-soft">Reaches {count(change.operations.length, 'operation', 'operations')}.</p>
      ) : null}
    </div>
  )
}

const Difference = ({ at, base, severity }: { at: VersionRef; base: string; severity: string | null }) => {
  const navigate = useNavigate()
  const diff = useQuery(diffQuery(at, base))
  if (diff.isError) return <Failure error={diff.error} onRetry={() => void diff.refetch()} />
  if (!diff.data) return <Loading what="the comparison" />
  const { changes, counts, maxSeverity } = diff.data
  const shown = severity === null ? changes : changes.filter((it) => it.severity === severity)
  const choose = (next: string | null): void => {
    void navigate({
      to: '/t/$tenant/$project/$version/changes',
      params: { tenant: at.tenant, project: at.project, version: at.version },
      search: { base, ...(next === null ? {} : { severity: next }) },
      replace: true,
    })
  }
  if (changes.length === 0)
    return (
      <Empty title="No changes">
        <p>The two versions say the same.</p>
      </Empty>
    )
  return (
    <>
      <p role="status" className={maxSeverity === 'breaking' ? 'font-medium text-danger' : 'font-medium'}>
        {maxSeverity === 'breaking'
          ? `${count(counts['breaking'] ?? 0, 'breaking change', 'breaking changes')} among ${changes.length.toLocaleString()}`
          : `${count(changes.length, 'change', 'changes')}, none of them breaking`}
      </p>
      <Choices
        label="Severity"
        value={severity}
        onChange={choose}
        choices={severities.map((it) => ({ value: it, name: it, count: counts[it] ?? 0 }))}
      />
      {shown.length === 0 ? (
        <NoMatch what="change" onClear={() => choose(null)} />
      ) : (
        <VirtualList label="List of changes" total={shown.length} estimate={110}>
          {(index) => {
            const change = shown[index]
            return change ? <ChangeRow change={change} /> : null
          }}
        </VirtualList>
      )}
    </>
  )
}

/** What changed from another version of the project to this one, judged. */
export const ChangesView = ({
  at,
  base,
  severity,
}: {
  at: VersionRef
  base: string | null
  severity: string | null
}) => {
  const navigate = useNavigate()
  const versions = useQuery(versionsQuery(at.tenant, at.project))
  if (versions.isError) return <Failure error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.data) return <Loading what="the versions" />
  const { items } = versions.data
  const here = items.findIndex((it) => it.slug === at.version || it.label === at.version || it.id === at.version)
  const others = items.filter((_, index) => index !== here)
  // Unasked it is compared with the one before it: the list is newest first.
  const from = base ?? items[here + 1]?.slug ?? others[0]?.slug ?? null
  if (from === null)
    return (
      <Empty title="Nothing to compare with">
        <p>This is the only version of the project. Once there is another one, its differences stand here.</p>
      </Empty>
    )
  return (
    <section aria-label="Changes" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <label className="flex items-center gap-2 text-sm">
          Compared with
          <select
            className="field w-auto"
            value={from}
            onChange={(event) =>
              void navigate({
                to: '/t/$tenant/$project/$version/changes',
                params: { tenant: at.tenant, project: at.project, version: at.version },
                search: { base: event.target.value },
              })
            }
          >
            {others.some((it) => it.slug === from) ? null : <option value={from}>{from}</option>}
            {others.map((it) => (
              <option key={it.id} value={it.slug}>
                {it.label} ({it.status})
              </option>
            ))}
          </select>
        </label>
        <CommandHint
          command={`svc --tenant ${shellWord(at.tenant)} diff ${shellWord(`${at.project}@${from}`)} ${shellWord(`${at.project}@${at.version}`)} --format markdown`}
        />
      </div>
      <Difference at={at} base={from} severity={severity} />
    </section>
  )
}
