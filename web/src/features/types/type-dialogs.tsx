import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Field, Form, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Failure } from '../../parts/states.tsx'
import { isJob } from './impact.ts'
import { dropType, impactQuery, refreshTypes, type TypeAt, typeParams, usageQuery } from './queries.ts'
import { restorable, sayDeleted } from '../bin/undo.ts'

interface Given {
  readonly tenant: string
  readonly record: PrimitiveRecord
  readonly onClose: () => void
}

const Deprecate = ({ tenant, record, onClose }: Given) => {
  const withdraw = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const body = { message: null }
      await call(primitivesApi.deprecate, { params: typeParams({ tenant, type: record.id }), body })
      await refreshTypes(tenant)
      onClose()
    },
  })
  const before = { message: record.deprecated?.message ?? '', replacement: record.deprecated?.replacement ?? '' }
  const form = useForm(before, async ({ message, replacement }) => {
    await call(primitivesApi.deprecate, {
      params: typeParams({ tenant, type: record.id }),
      body: { message, replacement: replacement.trim() === '' ? null : replacement.trim() },
    })
    await refreshTypes(tenant)
    onClose()
  })
  return (
    <Form
      change={form}
      submit={record.deprecated === null ? 'Deprecate' : 'Save'}
      onCancel={onClose}
      note={
        record.deprecated === null ? null : (
          <Button look="danger" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw the deprecation
          </Button>
        )
      }
    >
      {withdraw.error ? <Failure error={withdraw.error} /> : null}
      <p className="text-soft">It still works. Everyone who opens or finds it sees that it is deprecated.</p>
      <TextField
        label="Message for its users"
        required
        maxLength={2000}
        placeholder="Use core/Money, which has a currency."
        {...form.bind('message')}
      />
      <Field
        label="Replacement (optional)"
        spellCheck={false}
        placeholder="svc:core/Money"
        hint="The reference of the type to use instead."
        {...form.bind('replacement')}
      />
    </Form>
  )
}

const mostNamed = 20

const usersWords = (types: number, versions: number): string =>
  [
    ...(types === 0 ? [] : [count(types, 'type', 'types')]),
    ...(versions === 0 ? [] : [count(versions, 'published version', 'published versions')]),
  ].join(' and ') + (types + versions === 1 ? ' uses' : ' use')

/** Who refers to a type, so that it cannot be deleted. */
const Users = ({ tenant, record, onClose }: Given) => {
  const usage = useQuery(usageQuery({ tenant, type: record.id }, 1))
  const { open } = useAddress()
  return (
    <Read query={usage} what="its users">
      {({ primitives, versions, count: found }) => (
        <div className="grid gap-4">
          <p>
            {usersWords(found, versions.length)} it, so it cannot be deleted. Remove the references first, or deprecate
            it.
          </p>
          <ul className="grid gap-1 text-sm" aria-label="Users">
            {primitives.slice(0, mostNamed).map((primitive) => (
              <li key={primitive.id}>
                <Link
                  to="/t/$tenant/-/types/$type"
                  params={{ tenant, type: primitive.id }}
                  className="link inline-flex min-h-6 items-center font-mono text-xs break-all"
                >
                  {primitive.ref}
                </Link>
              </li>
            ))}
            {versions.slice(0, mostNamed).map(({ project, version }) => (
              <li key={`${project} ${version}`}>
                <Link
                  to="/t/$tenant/$project/$version"
                  params={{ tenant, project, version }}
                  className="link inline-flex min-h-6 items-center break-all"
                >
                  {project} {version}
                </Link>
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap gap-3">
            <Button look="primary" onClick={() => open('deprecate')}>
              Deprecate instead …
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </div>
      )}
    </Read>
  )
}

/** The drafts that would have unresolved references: those that a schema which allows no value would affect. */
const Drafts = ({ at }: { at: TypeAt }) => {
  const { data } = useQuery(impactQuery(at, false))
  const drafts = data === undefined || isJob(data) ? [] : data.versions.filter((it) => it.status === 'draft')
  const found =
    data !== undefined && isJob(data) ? 'Drafts that use it will have unresolved references.' : 'No draft uses it.'
  if (drafts.length === 0) return <p role="status">{data === undefined ? 'Looking for drafts that use it …' : found}</p>
  return (
    <div className="grid gap-1">
      <p role="status">{count(drafts.length, 'draft', 'drafts')} will have unresolved references:</p>
      <ul className="grid gap-1 text-sm" aria-label="Drafts that use it">
        {drafts.slice(0, mostNamed).map((it) => (
          <li key={it.version_id} className="wrap-anywhere">
            {it.project} {it.version}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The dialogs about one type; the address says which one is open. */
export const TypeDialogs = ({
  tenant,
  record,
  onDeleted,
}: {
  tenant: string
  record: PrimitiveRecord
  onDeleted: () => Promise<void>
}) => {
  const { dialog, close } = useAddress()
  const at = { tenant, type: record.id }
  // Read before anyone asks to delete it: the answer decides which dialog opens.
  const { data, error } = useQuery(usageQuery(at, 1))
  const isUsed = data !== undefined && data.count + data.versions.length > 0
  const asked = dialog === 'delete' && (data !== undefined || error !== null)
  return (
    <>
      <Window open={dialog === 'deprecate'} onClose={close} title={`Deprecate ${record.name}`}>
        <Deprecate tenant={tenant} record={record} onClose={close} />
      </Window>
      <Window open={asked && isUsed} onClose={close} title={`${record.name} is used`}>
        <Users tenant={tenant} record={record} onClose={close} />
      </Window>
      <DangerConfirmation
        open={asked && !isUsed}
        onClose={close}
        title={`Delete ${record.name}?`}
        action="Delete"
        onConfirm={async () => {
          await call(primitivesApi.delete, { params: typeParams(at) })
          await onDeleted()
          sayDeleted(tenant, record.id, `The type ${record.name}`)
          await dropType(at)
        }}
      >
        <p className="font-mono text-sm wrap-anywhere">{record.ref}</p>
        <p>
          No type and no published version refers to it. It is deleted with{' '}
          {count(record.revision, 'revision', 'revisions')}. {restorable}
        </p>
        <Drafts at={at} />
      </DangerConfirmation>
    </>
  )
}
