import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { binApi, type BinEntry, type BinRestored } from '../../../../src/api/bin.ts'
import { binDays, type BinKind, binKindNames, binKinds, renamedKinds } from '../../../../src/api/bin-kinds.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { daysUntil } from '../../parts/time.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { capitalized, count } from '../../parts/text.ts'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { FilterSelect } from '../../parts/filter-chips.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { showMessage } from '../../parts/toast.ts'
import { queryClient } from '../../query-client.ts'
import { holds, identityQuery } from '../../session.ts'
import { type BinFilter, binQuery, restore } from './queries.ts'

const kindOptions = binKinds.map((value) => ({ value, name: capitalized(`${binKindNames[value]}s`) }))

const canBeRenamed = (kind: BinKind): boolean => (renamedKinds as readonly BinKind[]).includes(kind)

/** What the other name of each kind is called. */
const nameOfName: Partial<Record<BinKind, string>> = { project: 'Slug', version: 'Label', consumer: 'Handle' }

const sayRestored = ({ kind, ref, notes }: BinRestored): void =>
  showMessage({
    title: `The ${binKindNames[kind]} ${ref} was restored`,
    ...(notes.length === 0 ? {} : { detail: notes.join(' ') }),
  })

const RestoreAs = ({ tenant, entry, onClose }: { tenant: string; entry: BinEntry; onClose: () => void }) => {
  const form = useForm({ as: `${entry.ref}-restored` }, async ({ as }) => {
    sayRestored(await restore(tenant, entry.id, as))
    onClose()
  })
  return (
    <Form change={form} submit="Restore" onCancel={onClose}>
      <p className="text-soft">
        Another {binKindNames[entry.kind]} is named <span className="font-mono wrap-anywhere">{entry.ref}</span> now.
        Choose another name for the one from the bin.
      </p>
      <Field
        label={nameOfName[entry.kind] ?? 'Name'}
        autoComplete="off"
        spellCheck={false}
        required
        {...form.bind('as')}
      />
    </Form>
  )
}

const contents = ({ counts }: BinEntry): string =>
  Object.entries(counts)
    .map(([what, n]) => count(n, what.replace(/s$/, ''), what))
    .join(', ')

const left = (expiresAt: string): string => {
  const days = daysUntil(expiresAt, Date.now())
  return days < 1 ? 'deleted permanently today' : `${count(days, 'day', 'days')} left`
}

const Entry = ({ tenant, entry, mayPurge }: { tenant: string; entry: BinEntry; mayPurge: boolean }) => {
  const { open } = useAddress()
  const change = useMutation({
    mutationFn: () => restore(tenant, entry.id),
    onSuccess: sayRestored,
    onError: (error) => {
      if (error instanceof SvcError && error.code === 'bin-name-taken' && canBeRenamed(entry.kind))
        open('rename', entry.id)
    },
    scope: { id: entry.id },
  })
  const { kind, ref, name, project_slug: project, deleted_by: by } = entry
  const isAsked = change.error instanceof SvcError && change.error.code === 'bin-name-taken' && canBeRenamed(kind)
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge>{binKindNames[kind]}</Badge>
            <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
            {ref === name ? null : <span className="min-w-0 font-mono text-xs wrap-anywhere text-soft">{ref}</span>}
          </p>
          <p className="text-sm wrap-anywhere text-soft">
            {project === null ? null : (
              <>
                of <span className="font-mono text-xs">{project}</span> ·{' '}
              </>
            )}
            {contents(entry) === '' ? null : `${contents(entry)} · `}
            deleted {by === null ? '' : `by ${by.name} `}
            <Moment at={entry.deleted_at} /> · <span title={entry.expires_at}>{left(entry.expires_at)}</span>
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button busy={change.isPending} onClick={() => change.mutate()} aria-label={`Restore ${ref}`}>
            Restore
          </Button>
          {mayPurge ? (
            <Button look="quiet" onClick={() => open('delete', entry.id)} aria-label={`Delete permanently …: ${ref}`}>
              Delete permanently …
            </Button>
          ) : null}
        </div>
      </div>
      {change.error && !isAsked ? <Failure error={change.error} /> : null}
    </li>
  )
}

/** The dialogs about the bin and about one of its entries. */
const BinDialogs = ({
  tenant,
  entry,
  mayPurge,
}: {
  tenant: string
  entry: BinEntry | undefined
  mayPurge: boolean
}) => {
  const { dialog, close } = useAddress()
  return (
    <>
      <Window
        open={dialog === 'rename' && entry !== undefined}
        onClose={close}
        title={`Restore ${entry?.ref ?? ''} under another name`}
      >
        {entry ? <RestoreAs tenant={tenant} entry={entry} onClose={close} /> : null}
      </Window>
      <DangerConfirmation
        open={dialog === 'delete' && entry !== undefined && mayPurge}
        onClose={close}
        title={`Delete ${entry?.ref ?? ''} permanently?`}
        action="Delete permanently"
        onConfirm={async () => {
          await call(binApi.remove, { params: { tenant_slug: tenant, entry_id: entry?.id ?? '' } })
          await queryClient.invalidateQueries({ queryKey: ['bin', tenant] })
        }}
      >
        <p>
          The {entry ? binKindNames[entry.kind] : ''} and everything that was deleted with it. This cannot be undone.
        </p>
      </DangerConfirmation>
      <DangerConfirmation
        open={dialog === 'empty' && mayPurge}
        onClose={close}
        title="Empty the bin?"
        action="Empty the bin"
        onConfirm={async () => {
          await call(binApi.empty, { params: { tenant_slug: tenant } })
          await queryClient.invalidateQueries({ queryKey: ['bin', tenant] })
        }}
      >
        <p>Everything in it is deleted permanently, also what the filters above do not show. This cannot be undone.</p>
      </DangerConfirmation>
    </>
  )
}

/** What was deleted and can be restored. */
export const BinPage = ({ tenant, filter: given, offset }: { tenant: string; filter: BinFilter; offset: number }) => {
  const bin = useQuery(binQuery(tenant, given, offset))
  const identity = useQuery(identityQuery)
  const { filter, move, open, item } = useAddress()
  const mayPurge = holds(identity.data, tenant, 'bin:delete')
  const total = bin.data?.total ?? 0
  const filtered = given.q !== '' || given.kind !== ''
  return (
    <Page
      title="Bin"
      description={`What was deleted in the last ${binDays} days, with everything that was deleted with it. After that it is deleted permanently. Keys, members and linked accounts never go to the bin.`}
      actions={
        <>
          <CommandHint command={svcCommand(tenant, ['bin', 'list'], { kind: given.kind })} />
          {mayPurge && (total > 0 || filtered) ? <Button onClick={() => open('empty')}>Empty the bin …</Button> : null}
        </>
      }
    >
      <Toolbar>
        <SearchField label="Search by name" value={given.q} onChange={(q) => filter({ q })} />
        <FilterSelect
          label="Show"
          value={given.kind}
          all="Everything"
          options={kindOptions}
          onChange={(kind) => filter({ kind })}
        />
      </Toolbar>
      <Listing
        query={bin}
        what="the bin"
        one="entry"
        filtered={filtered}
        onClear={() => filter({ q: '', kind: '' })}
        onMove={move}
        empty={
          <Empty title="The bin is empty">
            <p>
              Projects, drafts, consumers, style guides, types, webhooks and MCP servers come here when they are
              deleted.
            </p>
            <Link to="/t/$tenant" params={{ tenant }} className="link">
              Projects
            </Link>
          </Empty>
        }
      >
        {(items) => (
          <ul className="card divide-y">
            {items.map((it) => (
              <Entry key={it.id} tenant={tenant} entry={it} mayPurge={mayPurge} />
            ))}
          </ul>
        )}
      </Listing>
      <BinDialogs tenant={tenant} entry={bin.data?.items.find(({ id }) => id === item)} mayPurge={mayPurge} />
    </Page>
  )
}
