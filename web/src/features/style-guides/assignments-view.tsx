import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
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
import { count } from '../../parts/text.ts'
import { Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { useGuide } from './style-guide-page.tsx'
import { guideParams, type GuideRef } from '../lint/queries.ts'
import { assignmentsQuery, refreshGuides } from './queries.ts'
import { mostAtOnce, projectBulkApi } from '../../../../src/api/project-bulk.ts'
import { pieceSize } from '../../query-client.ts'

/** The slugs of all projects of a list of assignments, however many pages it has. */
const readAssignedSlugs = async (tenant: string, guide: string, q: string): Promise<readonly string[]> => {
  const slugs: string[] = []
  for (;;) {
    const { items, total } = await call(styleGuidesApi.assignments, {
      params: { tenant_slug: tenant },
      query: {
        limit: pieceSize,
        offset: slugs.length,
        ...(q === '' ? {} : { q }),
        ...(guide === '' ? {} : { guide_id: guide }),
      },
    })
    slugs.push(...items.map((it) => it.projectSlug))
    if (items.length === 0 || slugs.length >= total) return slugs
  }
}

/** Assigns a guide to projects, or the default where it is null. Gives those that were refused, each with the reason. */
const assignMany = async (tenant: string, slugs: readonly string[], guide: string | null) => {
  const refused: { slug: string; reason: string }[] = []
  for (let from = 0; from < slugs.length; from += mostAtOnce) {
    const { results } = await call(projectBulkApi.change, {
      params: { tenant_slug: tenant },
      body: { projects: slugs.slice(from, from + mostAtOnce), change: { style_guide: guide } },
    })
    refused.push(...results.flatMap(({ slug, reason }) => (reason === null ? [] : [{ slug, reason: reason.message }])))
  }
  return refused
}

type Assignment = Output<typeof styleGuidesApi.assignments>['items'][number]

const ProjectRow = ({
  at,
  row,
  may,
  ticked,
  onTick,
}: {
  at: GuideRef
  row: Assignment
  may: boolean
  ticked: boolean
  onTick: (on: boolean) => void
}) => {
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
        {may ? (
          <input
            type="checkbox"
            aria-label={`Select ${row.projectSlug}`}
            checked={ticked}
            onChange={(event) => onTick(event.target.checked)}
          />
        ) : null}
        <div className="min-w-0 grow basis-40 sm:flex-1">
          <Link
            to="/t/$tenant/$project"
            params={{ tenant: at.tenant, project: row.projectSlug }}
            className="link font-mono text-sm break-all"
          >
            {row.projectSlug}
          </Link>
        </div>
        <p className="flex min-w-0 grow basis-60 flex-wrap items-center gap-2 text-sm sm:flex-1">
          <span className={here ? 'font-medium' : 'text-soft'}>{row.guideName}</span>
          <Badge tone={assigned ? 'accent' : 'plain'}>{assigned ? 'assigned' : 'default'}</Badge>
        </p>
        {may ? (
          <span className="flex flex-wrap gap-1.5 sm:w-36 sm:justify-end">
            {here && assigned ? null : (
              <Button busy={change.isPending} onClick={() => change.mutate(true)}>
                Assign{named}
              </Button>
            )}
            {here && assigned ? (
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

/** What is done with all selected projects at once. */
const Selection = ({
  at,
  name,
  page,
  total,
  selected,
  onSelect,
  onSelectAll,
}: {
  at: GuideRef
  name: string
  /** The slugs of the page that is shown. */
  page: readonly string[]
  total: number
  selected: ReadonlySet<string>
  onSelect: (slugs: readonly string[]) => void
  onSelectAll: () => Promise<readonly string[]>
}) => {
  const assign = useMutation({
    mutationFn: async (guide: string | null) => {
      const refused = await assignMany(at.tenant, [...selected], guide)
      onSelect(refused.map((it) => it.slug))
      await refreshGuides(at.tenant)
      return { refused, done: selected.size - refused.length }
    },
  })
  const all = useMutation({ mutationFn: async () => onSelect(await onSelectAll()) })
  const whole = page.length > 0 && page.every((it) => selected.has(it))
  const error = assign.error ?? all.error
  return (
    <div className="grid gap-2">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2 px-4 text-sm">
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={whole} onChange={() => onSelect(whole ? [] : page)} />
          {selected.size === 0 ? 'Select this page' : `${selected.size.toLocaleString()} selected`}
        </label>
        {whole && selected.size < total ? (
          <Button look="quiet" busy={all.isPending} onClick={() => all.mutate()}>
            Select all {total.toLocaleString()}
          </Button>
        ) : null}
        {selected.size === 0 ? null : (
          <>
            <Button look="primary" busy={assign.isPending} onClick={() => assign.mutate(at.guide)}>
              Assign {name} to {count(selected.size, 'project', 'projects')}
            </Button>
            <Button busy={assign.isPending} onClick={() => assign.mutate(null)}>
              Use the default for them
            </Button>
          </>
        )}
        {assign.data && selected.size === assign.data.refused.length ? (
          <span role="status" className="text-soft">
            {count(assign.data.done, 'project', 'projects')} changed. Stored grades follow.
          </span>
        ) : null}
      </div>
      {assign.data?.refused.map((it) => (
        <p key={it.slug} role="alert" className="px-4 text-sm text-danger">
          <code className="font-mono">{it.slug}</code>: {it.reason}
        </p>
      ))}
      {error ? <Failure error={error} /> : null}
    </div>
  )
}

/** The projects of a page, with the guide of each; those who may assign guides tick them. */
const Assigned = ({
  at,
  name,
  may,
  items,
  total,
  readAll,
}: {
  at: GuideRef
  name: string
  may: boolean
  items: readonly Assignment[]
  total: number
  readAll: () => Promise<readonly string[]>
}) => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const select = (slugs: readonly string[]): void => setSelected(new Set(slugs))
  const tick = (slug: string, on: boolean): void =>
    select(on ? [...selected, slug] : [...selected].filter((other) => other !== slug))
  return (
    <>
      <p role="status" className="text-sm text-soft">
        {count(total, 'project', 'projects')}
      </p>
      {may ? (
        <Selection
          at={at}
          name={name}
          page={items.map((it) => it.projectSlug)}
          total={total}
          selected={selected}
          onSelect={select}
          onSelectAll={readAll}
        />
      ) : null}
      <ul className="card divide-y">
        {items.map((row) => (
          <ProjectRow
            key={row.projectId}
            at={at}
            row={row}
            may={may}
            ticked={selected.has(row.projectSlug)}
            onTick={(on) => tick(row.projectSlug, on)}
          />
        ))}
      </ul>
    </>
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
        Assigned guides override the default. Stored grades follow.
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
          <Assigned
            at={at}
            name={name}
            may={may}
            items={items}
            total={assignments.data?.total ?? 0}
            readAll={() => readAssignedSlugs(at.tenant, under ? at.guide : '', q)}
          />
        )}
      </Listing>
    </section>
  )
}
