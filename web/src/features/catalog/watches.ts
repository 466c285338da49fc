import { queryOptions } from '@tanstack/react-query'
import { projectWatchesApi, type WatchLevel } from '../../../../src/api/project-watches.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'
import { count } from '../../parts/text.ts'
import { showMessage } from '../../parts/toast.ts'

const watchesKey = (tenant: string) => ['project-watches', tenant] as const

/** How much of a project reaches the person. */
export const watchQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: [...watchesKey(tenant), 'one', project],
    queryFn: () => call(projectWatchesApi.get, { params: { tenant_slug: tenant, project_ref: project } }),
  })

/** The projects that the person watches or muted. */
export const watchesQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: [...watchesKey(tenant), 'list', offset],
    queryFn: () =>
      call(projectWatchesApi.list, { params: { tenant_slug: tenant }, query: { limit: pageSize, offset } }),
    placeholderData: (before) => before,
  })

/** Chooses how much of each of these projects reaches the person. */
export async function watch(tenant: string, projects: readonly string[], level: WatchLevel): Promise<void> {
  for (const project of projects)
    await call(projectWatchesApi.set, { params: { tenant_slug: tenant, project_ref: project }, body: { level } })
  await queryClient.invalidateQueries({ queryKey: watchesKey(tenant) })
}

const done: Readonly<Record<WatchLevel, string>> = {
  everything: 'All news reach you now.',
  concerns_me: 'What concerns you reaches you now.',
  muted: 'Only mentions and requested reviews reach you now.',
}

/**
 * The same, with a message about it.
 * @param projects ids or slugs
 * @param title what the message calls them; how many they are when omitted
 */
export async function watchAndTell(
  tenant: string,
  projects: readonly string[],
  level: WatchLevel,
  title = count(projects.length, 'project', 'projects'),
): Promise<void> {
  try {
    await watch(tenant, projects, level)
    showMessage({ title, detail: done[level] })
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    showMessage({ title: 'That was not saved', detail, isError: true })
  }
}
