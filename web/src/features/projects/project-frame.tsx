import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Permission } from '../../../../src/api/permissions.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { later } from '../../parts/later.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { ProjectMark } from '../../parts/marks.tsx'
import { Page } from '../../parts/page.tsx'
import { Unread } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { projectQuery } from '../catalog/projects.ts'

const WatchMenu = later('watching', async () => (await import('./watch.tsx')).WatchMenu)

/** What the reader may do with a project; nothing for a project that does not exist. */
export const useRights = (tenant: string, project: string) => {
  const record = useQuery(projectQuery(tenant, project))
  const identity = useQuery(identityQuery)
  const can = (permission: Permission): boolean => record.data !== undefined && holds(identity.data, tenant, permission)
  return {
    edit: can('projects:edit'),
    remove: can('projects:delete'),
    draft: can('versions:edit'),
    // An import may reach other projects, so that it takes a role in the organization.
    import: can('projects:create'),
  }
}

const Actions = ({ tenant, project, own }: { tenant: string; project: string; own: ReactNode }) => {
  const record = useQuery(projectQuery(tenant, project))
  const may = useRights(tenant, project)
  const navigate = useNavigate()
  const ask = (dialog: string): void =>
    void navigate({ to: '/t/$tenant/$project', params: { tenant, project }, search: { dialog } })
  return (
    <>
      {record.data ? <WatchMenu tenant={tenant} project={record.data} /> : null}
      {may.edit || may.remove || may.draft ? (
        <Menu align="end" look="plain" label="More">
          {own !== null && may.draft ? <MenuItem onClick={() => ask('draft')}>New draft …</MenuItem> : null}
          {may.edit ? <MenuItem onClick={() => ask('edit')}>Edit the project …</MenuItem> : null}
          {may.remove ? <MenuItem onClick={() => ask('delete')}>Delete the project …</MenuItem> : null}
        </Menu>
      ) : null}
      {own ?? (may.draft ? <Button onClick={() => ask('draft')}>New draft …</Button> : null)}
      {own === null && may.import ? (
        <Link to="/t/$tenant/-/import" params={{ tenant }} search={{ project }} className={buttonClass('primary')}>
          Import a version
        </Link>
      ) : null}
    </>
  )
}

/** The head of a project, which stays on all of its tabs: mark, name and actions. */
export const ProjectFrame = ({
  tenant,
  project,
  tab,
  own = null,
  facts,
  children,
}: {
  tenant: string
  project: string
  /** What the tab shows, in the title of the window and for readers of the screen; null for the versions. */
  tab: string | null
  /** What can be done on this tab, before what can be done with the project. */
  own?: ReactNode
  /** What is said of the project above the tabs. */
  facts?: ReactNode
  children: ReactNode
}) => {
  const record = useQuery(projectQuery(tenant, project))
  const name = record.data?.name ?? project
  return (
    <Page
      trail={
        <Link to="/t/$tenant" params={{ tenant }} className="link">
          Projects
        </Link>
      }
      mark={<ProjectMark slug={project} large />}
      title={name}
      windowTitle={tab === null ? name : `${tab} · ${name}`}
      description={record.data?.description ?? record.data?.slug}
      actions={<Actions tenant={tenant} project={project} own={own} />}
    >
      {record.error ? (
        <Unread error={record.error} onRetry={() => void record.refetch()} />
      ) : (
        <>
          {facts}
          <Tabs of="project" params={{ tenant, project }} />
          {tab === null ? null : <h2 className="sr-only">{tab}</h2>}
          {children}
        </>
      )}
    </Page>
  )
}
