import { useQuery } from '@tanstack/react-query'
import { type VersionRecord, versionsApi } from '../../../../src/api/versions.ts'
import { compareLabels } from '../../../../src/kernel/version-label.ts'
import { call } from '../../call.ts'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Notice } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import { queryClient } from '../../query-client.ts'
import { allVersionsQuery, versionParams, type VersionRef } from '../catalog/versions.ts'
import { consumersOfVersionQuery } from '../consumers/queries.ts'

interface Given {
  readonly at: VersionRef
  readonly record: VersionRecord
  readonly onClose: () => void
}

/** Who uses the version now, by what they declared. */
const Users = ({ at, record }: Pick<Given, 'at' | 'record'>) => {
  const { data: names = [] } = useQuery(consumersOfVersionQuery(at.tenant, at.project, record.id))
  if (names.length === 0) return null
  const verb = names.length === 1 ? 'declares' : 'declare'
  return (
    <Notice tone="warn" title={`${count(names.length, 'consumer', 'consumers')} ${verb} to use ${record.label}`}>
      <p className="wrap-anywhere">{names.join(', ')}</p>
    </Notice>
  )
}

/** The published version with the greatest label above this one: what readers most likely move to. */
const successorOf = (label: string, others: readonly VersionRecord[]): string =>
  others
    .map((it) => it.label)
    .filter((it) => compareLabels(it, label) > 0)
    .toSorted(compareLabels)
    .at(-1) ?? ''

const Fields = ({ at, onClose, record, others }: Given & { others: readonly VersionRecord[] }) => {
  const isChange = record.status === 'deprecated'
  const before = {
    // The day in UTC, as it is shown.
    sunset: record.sunset_at?.slice(0, 10) ?? '',
    replacement: record.replacement ?? (isChange ? '' : successorOf(record.label, others)),
  }
  const form = useForm(before, async ({ sunset, replacement }) => {
    await call(versionsApi.deprecate, {
      params: versionParams(at),
      body: {
        // The whole of that day is still served, wherever it is read.
        sunset_at: sunset === '' ? null : `${sunset}T23:59:59.000Z`,
        replacement: replacement === '' ? null : replacement,
      },
    })
    await queryClient.invalidateQueries()
    onClose()
  })
  return (
    <Form
      change={form}
      submit={isChange ? 'Save' : 'Deprecate'}
      look={isChange ? 'primary' : 'danger'}
      onCancel={onClose}
    >
      <p className="text-soft">
        Every response for this version will carry the Deprecation and Sunset headers. The version stays readable.
      </p>
      <Users at={at} record={record} />
      <Field
        label="Served until (optional)"
        type="date"
        hint="The last day it is served (until midnight UTC)."
        {...form.bind('sunset', 'sunset_at')}
      />
      <SelectField
        label="Replaced by (optional)"
        value={form.values.replacement}
        options={[
          { value: '', name: 'No version' },
          ...others.map((it) => ({ value: it.label, name: `${it.label} (${it.status})` })),
          ...(before.replacement === '' || others.some((it) => it.label === before.replacement)
            ? []
            : [{ value: before.replacement, name: before.replacement }]),
        ]}
        onChange={(replacement) => form.set({ replacement })}
      />
    </Form>
  )
}

/** Tells readers that a version will go away: until when it is served, and what to move to. Of one that is deprecated it changes both. */
export const DeprecateForm = (given: Given) => (
  <Read query={useQuery(allVersionsQuery(given.at.tenant, given.at.project))} what="the versions">
    {({ items }) => (
      <Fields {...given} others={items.filter((it) => it.id !== given.record.id && it.status === 'published')} />
    )}
  </Read>
)
