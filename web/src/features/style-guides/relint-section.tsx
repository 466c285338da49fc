import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useEffect } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Section } from '../../parts/page.tsx'
import { refreshGuides, relintQuery } from './queries.ts'

type Relint = Output<typeof styleGuidesApi.relint>

const Progress = ({ job: { status, progress, result, error } }: { job: Relint }) => (
  <div className="card grid gap-2 p-4">
    {result === null && error === null ? (
      <div className="text-accent">
        <progress
          className="meter"
          aria-label="Versions linted again"
          max={progress.total || 1}
          value={progress.done}
        />
      </div>
    ) : null}
    <p role="status">
      {result
        ? `${count(result.linted, 'version', 'versions')} linted again, ${count(result.changed, 'grade', 'grades')} changed.`
        : error
          ? `Linting stopped: ${error.message}`
          : status === 'queued'
            ? 'Waiting …'
            : `${progress.done.toLocaleString()} of ${count(progress.total, 'version', 'versions')} linted again …`}
    </p>
    {result && result.skipped.length > 0 ? (
      <ul className="grid gap-1 text-sm">
        {result.skipped.map((it) => (
          <li key={`${it.project} ${it.version}`}>
            <span className="font-mono text-xs">
              {it.project} {it.version}
            </span>{' '}
            was skipped: {it.reason}
          </li>
        ))}
      </ul>
    ) : null}
  </div>
)

const Job = ({ tenant, id }: { tenant: string; id: string }) => {
  const job = useQuery(relintQuery(tenant, id))
  const ended = job.data?.finishedAt ?? null
  useEffect(() => {
    // Every grade that is shown anywhere may be another one now.
    if (ended !== null) void refreshGuides(tenant)
  }, [ended, tenant])
  return (
    <Read query={job} what="the progress">
      {(job) => <Progress job={job} />}
    </Read>
  )
}

/** Asks before stored grades are replaced. The started job takes the place of the dialog in the address. */
const RelintForm = ({ tenant, guide, onClose }: { tenant: string; guide: string; onClose: () => void }) => {
  const { show } = useAddress()
  const start = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const begun = await call(styleGuidesApi.startRelint, {
        params: { tenant_slug: tenant },
        body: { guideId: guide },
      })
      show({ job: begun.jobId, dialog: undefined })
    },
  })
  return (
    <Form change={start} submit="Lint again" onCancel={onClose}>
      <p className="text-soft">
        Every stored version of the projects that this guide applies to is linted again. The new grades replace the
        stored ones.
      </p>
    </Form>
  )
}

/** Lints what is stored again under the guide that applies to it now, so that the kept grades are of that guide. */
export const Relinting = ({
  tenant,
  guide,
  name,
  may,
  job,
}: {
  tenant: string
  guide: string
  name: string
  may: boolean
  /** The job that is shown; empty for none. */
  job: string
}) => {
  const { dialog, open, close } = useAddress()
  if (!may && job === '') return null
  return (
    <Section
      title="Stored grades"
      description="Lint the stored versions of assigned projects again, so that lists show the new grades."
      actions={<CommandHint command={svcCommand(tenant, ['style-guide', 'relint', name])} />}
    >
      {may ? (
        <div>
          <Button onClick={() => open('relint')}>Lint versions again …</Button>
        </div>
      ) : null}
      <Window open={dialog === 'relint' && may} onClose={close} title="Lint versions again?">
        <RelintForm tenant={tenant} guide={guide} onClose={close} />
      </Window>
      {job === '' ? null : <Job tenant={tenant} id={job} />}
    </Section>
  )
}
