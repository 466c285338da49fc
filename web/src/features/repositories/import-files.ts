/** Importing several files: a dry run of each repository first, then the import of what it did not refuse. */
import { queryOptions } from '@tanstack/react-query'
import { importsApi } from '../../../../src/api/imports.ts'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import { call } from '../../call.ts'
import { hasEnded } from '../import/queries.ts'

const actionId = 'import-chosen'

/** Gives the focus to the button that imports what is ticked. */
export const focusImport = (): void => document.querySelector<HTMLElement>(`#${actionId} button`)?.focus()
export const importActionId = actionId

/** A job of one repository. */
export interface RepositoryJob {
  readonly repository: string
  readonly job: string
}

/** Jobs as the address keeps them, so that a page that is loaded again shows them. */
export const jobsWord = (jobs: readonly RepositoryJob[]): string =>
  jobs.map(({ repository, job }) => `${repository}~${job}`).join(',')

export const readJobs = (text: string): readonly RepositoryJob[] =>
  text.split(',').flatMap((part) => {
    const [repository = '', job = ''] = part.split('~')
    return repository === '' || job === '' ? [] : [{ repository, job }]
  })

/** Asks for the dry run of what is ticked: one job for each repository, however many files it has. */
export async function planImports(tenant: string, ids: readonly string[]): Promise<readonly RepositoryJob[]> {
  const files = Map.groupBy(
    ids.map((id) => id.split(' ')),
    ([repository = '']) => repository,
  )
  const jobs: RepositoryJob[] = []
  for (const [repository, chosen] of files) {
    const { job_id: job } = await call(repositoriesApi.importFiles, {
      params: { tenant_slug: tenant, repository_id: repository },
      body: { file_ids: chosen.map(([, file = '']) => file), dry_run: true },
    })
    jobs.push({ repository, job })
  }
  return jobs
}

/** Imports what dry runs did not refuse. */
export async function startImports(
  tenant: string,
  planned: readonly RepositoryJob[],
  autoRefresh: boolean,
): Promise<readonly RepositoryJob[]> {
  const jobs: RepositoryJob[] = []
  for (const { repository, job: dryRun } of planned) {
    const { job_id: job } = await call(repositoriesApi.importFiles, {
      params: { tenant_slug: tenant, repository_id: repository },
      body: { planned: dryRun, auto_refresh: autoRefresh },
    })
    jobs.push({ repository, job })
  }
  return jobs
}

/** How often a job that runs is read again. */
const oftenMs = 700

/** A job by its id, read again until it has ended. */
export const jobQuery = ({ job }: RepositoryJob) =>
  queryOptions({
    queryKey: ['imports', job, 'of-repository'],
    queryFn: () => call(importsApi.get, { params: { job_id: job } }),
    refetchInterval: ({ state }) => (state.error || (state.data && hasEnded(state.data)) ? false : oftenMs),
  })
