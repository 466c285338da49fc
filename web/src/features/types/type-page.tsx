import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { typeQuery } from './queries.ts'
import { TypeDialogs } from './type-dialogs.tsx'
import { explainScope, isBuiltin, scopeNames, scopeTones } from './words.ts'

/** The way from the registry to a type: its namespace is a filter of the list. */
export const TypeTrail = ({ tenant, record }: { tenant: string; record: PrimitiveRecord | undefined }) => (
  <>
    <Link to="/t/$tenant/-/types" params={{ tenant }} className="link">
      Types
    </Link>
    {record ? (
      <>
        <span aria-hidden="true">/</span>
        <Link
          to="/t/$tenant/-/types"
          params={{ tenant }}
          search={{ namespace: record.namespace }}
          className="link min-w-0 wrap-anywhere"
        >
          {record.namespace}
        </Link>
      </>
    ) : null}
  </>
)

const Actions = ({ tenant, record }: { tenant: string; record: PrimitiveRecord }) => {
  const { open } = useAddress()
  if (isBuiltin(record))
    return (
      <Link
        to="/t/$tenant/-/types/new"
        params={{ tenant }}
        search={{ namespace: record.namespace, name: record.name, from: record.id }}
        className={buttonClass()}
      >
        Replace with your own …
      </Link>
    )
  return (
    <>
      <Link to="/t/$tenant/-/types/$type/edit" params={{ tenant, type: record.id }} className={buttonClass('primary')}>
        Edit
      </Link>
      <Menu align="end" look="plain" label="More">
        <MenuItem onClick={() => open('deprecate')}>
          {record.deprecated === null ? 'Deprecate …' : 'Change the deprecation …'}
        </MenuItem>
        <MenuLine />
        <MenuItem onClick={() => open('delete')}>Delete …</MenuItem>
      </Menu>
    </>
  )
}

/** That a type should not be used any more, and what to use instead. */
const Deprecated = ({ tenant, of }: { tenant: string; of: NonNullable<PrimitiveRecord['deprecated']> }) => (
  <div role="status" className="card grid gap-1 border-transparent bg-warn-wash px-4 py-3 text-warn">
    <p className="font-medium">This type is deprecated</p>
    <p className="max-w-[75ch] text-sm wrap-anywhere whitespace-pre-line">{of.message}</p>
    {of.replacement === null ? null : (
      <p className="text-sm wrap-anywhere">
        Use{' '}
        <Link
          to="/t/$tenant/-/types/find"
          params={{ tenant }}
          search={{ ref: of.replacement }}
          className="link font-mono"
        >
          {of.replacement}
        </Link>{' '}
        instead.
      </p>
    )}
  </div>
)

const Note = ({ record, may }: { record: PrimitiveRecord; may: boolean }) => {
  const readOnly = may ? '' : needs('primitives:edit', 'Changing types')
  const words = isBuiltin(record)
    ? `${explainScope(record.scope)} It is read-only and changes with the version of svc.`
    : readOnly
  return words === '' ? null : <p className="text-sm text-soft">{words}</p>
}

/** One type: the frame of its views. */
export const TypePage = ({ tenant, type }: { tenant: string; type: string }) => {
  const at = { tenant, type }
  const read = useQuery(typeQuery(at))
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const may = holds(identity.data, tenant, 'primitives:edit')
  const record = read.data?.record
  return (
    <Page
      trail={<TypeTrail tenant={tenant} record={record} />}
      title={record?.name ?? 'Type'}
      badges={
        record ? (
          <>
            <Badge tone={scopeTones[record.scope]}>{scopeNames[record.scope]}</Badge>
            {record.deprecated ? <Badge tone="warn">deprecated</Badge> : null}
          </>
        ) : null
      }
      description={record && record.description !== '' ? record.description : null}
      actions={record && may ? <Actions tenant={tenant} record={record} /> : null}
    >
      <Read query={read} what="the type">
        {({ record }) => (
          <>
            {record.deprecated ? <Deprecated tenant={tenant} of={record.deprecated} /> : null}
            <Note record={record} may={may} />
            <Tabs of="type" params={{ tenant, type }} />
            <Outlet />
            {may && !isBuiltin(record) ? (
              <TypeDialogs
                tenant={tenant}
                record={record}
                onDeleted={() => navigate({ to: '/t/$tenant/-/types', params: { tenant } })}
              />
            ) : null}
          </>
        )}
      </Read>
    </Page>
  )
}
