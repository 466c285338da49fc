import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { useGuide } from './style-guide-page.tsx'
import { assignmentsQuery, type GuideRef, guideParams, refreshGuides } from './queries.ts'

type Assignment = Output<typeof styleGuidesApi.assignments>['items'][number]

const ProjectRow = ({ at, row, may }: { at: GuideRef; row: Assignment; may: boolean }) => {
  const params = { ...guideParams(at), project_id: row.projectId }
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async (assigned: boolean) => {
      if (assigned) await call(styleGuidesApi.assign, { params })
      else await call(styleGuidesApi.unassign, { params })
      await refreshGuides(at.tenant)
    },
  })
  const here = row.guideId === at.guide
  const assigned = row.reason === 'assignment'
  const named = <span className="sr-only"> {row.projectSlug}</span>
  return (
    <li className="grid gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <div className="min-w-0 grow basis-40">
          <Link
            to="/t/$tenant/$project"
            params={{ tenant: at.tenant, project: row.projectSlug }}
            className="link font-mono text-sm break-all"
          >
            {row.projectSlug}
          </Link>
        </div>
        <p className="flex min-w-0 grow basis-60 flex-wrap items-center gap-2 text-sm">
          <span className={here ? 'font-medium' : 'text-soft'}>{row.guideName}</span>
          <Badge tone={assigned ? 'accent' : 'plain'}>{assigned ? 'assigned' : 'default'}</Badge>
        </p>
        {may ? (
          <span className="flex flex-wrap gap-1.5">
            {here && assigned ? null : (
              <Button busy={change.isPending} onClick={() => change.mutate(true)}>
                {assigned ? 'Assign this guide' : here ? 'Assign' : 'Assign'}
                {named}
              </Button>
            )}
            {assigned ? (
              <Button busy={change.isPending} onClick={() => change.mutate(false)}>
                Use the default{named}
              </Button>
            ) : null}
          </span>
        ) : null}
      </div>
      {change.error ? <Failure error={change.error} /> : null}
    </li>
  )
}

/** Which guide applies to which project and why; and this guide for those that are to have it. */
export const AssignmentsView = ({
  at,
  q,
  under,
  offset,
}: {
  at: GuideRef
  q: string
  /** Only projects that this guide applies to. */
  under: boolean
  offset: number
}) => {
  const { guide, may } = useGuide(at)
  const assignments = useQuery(assignmentsQuery(at.tenant, under ? at.guide : '', q, offset))
  const { filter, move } = useAddress()
  const name = guide.data?.name ?? at.guide
  return (
    <section aria-label="Assignments" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="max-w-[75ch] text-sm text-soft">
        Assigned guides override the default and apply from the next lint.
        {may ? '' : ' Assigning needs the role Owner or Admin.'}
      </p>
      <Toolbar>
        <SearchField label="Search projects" value={q} onChange={(text) => filter({ q: text })} />
        <CommandHint
          command={svcCommand(at.tenant, ['style-guide', 'assignments'], { guide: under ? name : '', search: q })}
        />
      </Toolbar>
      <Choices
        label="Projects"
        value={under ? 'here' : null}
        onChange={(value) => filter({ under: value === null ? '' : 'yes' })}
        choices={[{ value: 'here', name: 'only projects with this guide' }]}
      />
      <Listing
        query={assignments}
        what="the projects"
        one="project"
        filtered={q !== '' || under}
        onClear={() => filter({ q: '', under: '' })}
        onMove={move}
        empty={
          <Empty title="No projects yet">
            <p>Projects can be assigned a guide here.</p>
          </Empty>
        }
      >
        {(items) => (
          <>
            <p role="status" className="text-sm text-soft">
              {count(assignments.data?.total ?? 0, 'project', 'projects')}
            </p>
            <ul className="card divide-y">
              {items.map((row) => (
                <ProjectRow key={row.projectId} at={at} row={row} may={may} />
              ))}
            </ul>
          </>
        )}
      </Listing>
    </section>
  )
}
