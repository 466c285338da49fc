import { createRoute, notFound } from '@tanstack/react-router'
import { FolderTree } from 'lucide-react'
import { dialogWords, listWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const ProjectsPage = later('the projects', async () => (await import('./projects-page.tsx')).ProjectsPage)
const ProjectPage = later('the project', async () => (await import('./project-page.tsx')).ProjectPage)

const projectsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant',
  staticData: {
    section: { group: 'Catalogue', name: 'Projects', icon: FolderTree, permission: 'projects:view', forGuests: true },
    actions: [
      { name: 'Create a project', dialog: 'new', permission: 'projects:create' },
      { name: 'Save this list as a view', dialog: 'save-view', permission: 'projects:view' },
    ],
  },
  validateSearch: (search: Search) => ({
    ...listWords(search),
    ...word(search, 'view'),
    ...word(search, 'sort'),
    ...word(search, 'owner'),
    ...word(search, 'lifecycle'),
    ...word(search, 'tag'),
    ...word(search, 'grade'),
    ...word(search, 'status'),
    ...word(search, 'format'),
    ...word(search, 'draft'),
  }),
  component: () => {
    const { offset = 0, view = '', dialog: _, item: __, ...filter } = projectsRoute.useSearch()
    return <ProjectsPage tenant={projectsRoute.useParams().tenant} view={view} filter={filter} offset={offset} />
  },
})

const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project',
  // What is beside the projects is below "-", which names none.
  beforeLoad: ({ params }) => {
    if (params.project === '-') throw notFound()
  },
  staticData: {
    tab: { of: 'project', name: 'Versions' },
    actions: [
      { name: 'New draft', dialog: 'draft', permission: 'versions:edit' },
      { name: 'Badges', dialog: 'badges', permission: 'projects:view' },
      { name: 'Edit the project', dialog: 'edit', permission: 'projects:edit' },
      { name: 'Delete the project', dialog: 'delete', permission: 'projects:delete' },
    ],
  },
  validateSearch: (search: Search) => ({
    ...number(search, 'offset'),
    ...word(search, 'status'),
    ...dialogWords(search),
  }),
  component: () => {
    const { status = '', offset = 0 } = projectRoute.useSearch()
    return <ProjectPage {...projectRoute.useParams()} status={status} offset={offset} />
  },
})

export const projectRoutes = [projectsRoute, projectRoute] as const
