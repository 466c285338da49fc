import type { ProjectRecord } from '../../../../src/api/projects.ts'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Badge, Grade, Status } from '../../parts/badge.tsx'
import { ProjectMark } from '../../parts/marks.tsx'
import { Moment } from '../../parts/page.tsx'
import { Tick } from '../../parts/tick.tsx'
import { focusActions } from './bulk.ts'
import type { Selection } from './selection.ts'

const cell = 'px-3 py-1.5 align-middle'

/** One line where there is room: a page shows twice as many. */
const ProjectName = ({ tenant, project }: { tenant: string; project: ProjectRecord }) => {
  const latest = project.latest_version
  return (
    <div className="xl:flex xl:items-center xl:gap-2.5">
      <span className="max-xl:hidden">
        <ProjectMark slug={project.slug} />
      </span>
      <h2 className="font-semibold break-words xl:max-w-4/5 xl:shrink-0 xl:truncate" title={project.name}>
        <Link
          to="/t/$tenant/$project"
          params={{ tenant, project: project.slug }}
          className="after:absolute after:inset-0"
        >
          {project.name}
        </Link>
      </h2>
      <p className="min-w-0 truncate text-sm text-soft xl:grow">
        <span className="font-mono text-xs">{project.slug}</span>
        {latest ? <span className="sm:hidden"> · {latest.label}</span> : null}
        {project.description ? ` · ${project.description}` : ''}
      </p>
      {project.tags.length === 0 ? null : (
        <p className="mt-0.5 flex flex-wrap gap-1 xl:mt-0 xl:max-w-28 xl:shrink-0 xl:flex-nowrap xl:overflow-hidden">
          {project.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
    </div>
  )
}

const ProjectRow = ({
  tenant,
  project,
  isSelected,
  onSelect,
}: {
  tenant: string
  project: ProjectRecord
  isSelected: boolean
  onSelect: (withShift: boolean) => void
}) => {
  const latest = project.latest_version
  return (
    <tr className={`relative hover:bg-raised ${isSelected ? 'bg-wash' : ''}`}>
      <td className="py-1.5 pl-3 align-middle">
        <Tick label={`Select ${project.name}`} checked={isSelected} onClick={onSelect} onEnter={focusActions} />
      </td>
      <td className={cell}>
        <Grade grade={latest?.grade ?? null} score={latest?.score ?? null} />
      </td>
      <td className={`${cell} w-full max-w-0 min-w-40`}>
        <ProjectName tenant={tenant} project={project} />
      </td>
      <td className={`${cell} max-w-64 break-words max-md:hidden xl:whitespace-nowrap`}>
        <span className="xl:inline-block xl:max-w-32 xl:truncate xl:align-bottom">{project.owner}</span>
        {project.lifecycle === null ? null : (
          <span className="block text-sm text-soft xl:ml-2 xl:inline">{project.lifecycle}</span>
        )}
      </td>
      <td className={`${cell} whitespace-nowrap max-sm:hidden`}>
        {latest ? (
          <span className="flex items-baseline gap-2">
            <span className="max-w-40 truncate font-mono text-sm" title={latest.label}>
              {latest.label}
            </span>
            <Status status={latest.status} />
          </span>
        ) : (
          <Badge>no version</Badge>
        )}
      </td>
      <td className={`${cell} text-right text-sm tabular-nums max-lg:hidden`}>
        {latest?.operations_count.toLocaleString() ?? ''}
      </td>
      <td className={`${cell} text-right text-sm tabular-nums max-md:hidden`}>
        {project.versions_count.toLocaleString()}
      </td>
      <td className={`${cell} text-sm whitespace-nowrap text-soft max-lg:hidden`}>
        <Moment at={project.updated_at} />
      </td>
    </tr>
  )
}

/** The heading of a column by which the list can be ordered. */
const Sortable = ({ by, now, name }: { by: string; now: string; name: string }) => {
  const { filter } = useAddress()
  return (
    <button
      type="button"
      className="font-medium hover:text-ink aria-pressed:text-accent"
      aria-pressed={now === by}
      onClick={() => filter({ sort: now === by ? '' : by })}
    >
      {name}
      {now === by ? <span aria-hidden="true"> {by === 'name' ? '↑' : '↓'}</span> : null}
      <span className="sr-only">{now === by ? ', sorted by it' : ', sort by it'}</span>
    </button>
  )
}

/** The projects of a page as rows that can be selected. */
export const ProjectTable = ({
  tenant,
  items,
  sort,
  selection,
}: {
  tenant: string
  items: readonly ProjectRecord[]
  sort: string
  selection: Selection
}) => (
  <div className="card overflow-x-clip">
    <table className="w-full">
      <thead className="border-b text-left text-sm text-soft">
        <tr>
          <th className="w-0 py-2 pl-3" scope="col">
            <Tick
              label="Select all projects of this page"
              checked={items.every(({ id }) => selection.has(id))}
              mixed={items.some(({ id }) => selection.has(id)) && !items.every(({ id }) => selection.has(id))}
              onClick={() => selection.clickPage(items)}
              onEnter={focusActions}
            />
          </th>
          <th className={cell} scope="col">
            <Sortable by="grade" now={sort} name="Grade" />
          </th>
          <th className={cell} scope="col">
            <Sortable by="name" now={sort} name="Project" />
          </th>
          <th className={`${cell} font-medium max-md:hidden`} scope="col">
            Owner
          </th>
          <th className={`${cell} font-medium max-sm:hidden`} scope="col">
            Latest
          </th>
          <th className={`${cell} text-right font-medium max-lg:hidden`} scope="col">
            Operations
          </th>
          <th className={`${cell} text-right font-medium max-md:hidden`} scope="col">
            Versions
          </th>
          <th className={`${cell} max-lg:hidden`} scope="col">
            <Sortable by="updated" now={sort} name="Updated" />
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {items.map((project) => (
          <ProjectRow
            key={project.id}
            tenant={tenant}
            project={project}
            isSelected={selection.has(project.id)}
            onSelect={(withShift) => selection.click(items, project.id, withShift)}
          />
        ))}
      </tbody>
    </table>
  </div>
)
