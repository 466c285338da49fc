import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import { call } from '../../call.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { queryClient } from '../../query-client.ts'
import { versionParams, type VersionRef } from '../catalog/versions.ts'

type Moved = Output<typeof primitivesApi.repin>

const severityWords = ({ counts }: Moved['comparison']): string => {
  const parts = [
    ...(counts.breaking === 0 ? [] : [count(counts.breaking, 'breaking change', 'breaking changes')]),
    ...(counts.unknown === 0 ? [] : [count(counts.unknown, 'undecided change', 'undecided changes')]),
    ...(counts.non_breaking === 0 ? [] : [count(counts.non_breaking, 'other change', 'other changes')]),
  ]
  return parts.length === 0 ? 'no breaking changes' : parts.join(', ')
}

const Done = ({ at, moved, onClose }: { at: VersionRef; moved: Moved; onClose: () => void }) => (
  <div className="grid gap-4">
    <p role="status">
      The draft <span className="font-medium">{moved.version.label}</span> was created:{' '}
      {severityWords(moved.comparison)} against {moved.comparison.base.label}.
    </p>
    <ul className="grid gap-1 text-sm" aria-label="Moved types">
      {moved.moved.map((change) => (
        <li key={change.ref} className="wrap-anywhere">
          <code className="font-mono text-xs">{change.ref}</code>:{' '}
          {change.from === null ? 'newest' : `revision ${change.from}`} → revision {change.to}
          {change.direct ? '' : ', through other types'}
        </li>
      ))}
    </ul>
    <div className="flex flex-wrap gap-3">
      <Link
        to="/t/$tenant/$project/$version/changes"
        params={{ ...at, version: moved.version.slug }}
        className={buttonClass('primary')}
      >
        See the changes
      </Link>
      <Button onClick={onClose}>Done</Button>
    </div>
  </div>
)

/** Creates a draft of a version whose types are at their newest revisions. */
export const RepinForm = ({
  at,
  type,
  onClose,
}: {
  at: VersionRef
  /** The reference of the only type to move; null: all. */
  type: string | null
  onClose: () => void
}) => {
  const [moved, setMoved] = useState<Moved | null>(null)
  const form = useForm({ label: '' }, async ({ label }) => {
    const body = {
      ...(type === null ? {} : { primitives: [type] }),
      ...(label === '' ? {} : { label }),
    }
    setMoved(await call(primitivesApi.repin, { params: versionParams(at), body }))
    await queryClient.invalidateQueries()
  })
  if (moved) return <Done at={at} moved={moved} onClose={onClose} />
  return (
    <Form change={form} submit="Create the draft" onCancel={onClose}>
      <p className="text-soft">
        A draft of {at.project} {at.version} is created in which{' '}
        {type === null ? 'every type is' : <code className="font-mono text-sm break-all">{type}</code>}
        {type === null ? '' : ' is'} at the newest revision, and compared with it. {at.version} does not change.
      </p>
      <Field
        label="Version of the draft (optional)"
        maxLength={100}
        spellCheck={false}
        hint="Default: the next patch version."
        {...form.bind('label')}
      />
    </Form>
  )
}
