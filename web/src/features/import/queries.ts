import { queryOptions } from '@tanstack/react-query'
import { type ImportJob, importsApi } from '../../../../src/api/imports.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import { preflightApi } from '../../../../src/api/preflight.ts'
import { call, callLarge } from '../../call.ts'
import { type Chosen, toSource } from './chosen.ts'
import { type ChosenOverlay, overlaysOf } from './overlay-files.ts'

export const hasEnded = ({ status }: ImportJob): boolean => status !== 'queued' && status !== 'running'

/** Seconds that one request waits for the end of the job. */
const waitSeconds = 5

/** The state of an import, read again until it has ended. */
export const importJobQuery = (job: ImportJob) =>
  queryOptions({
    queryKey: ['imports', job.job_id],
    queryFn: ({ client, queryKey }) => {
      // The first request shows the phase at once; the others wait for the end.
      const wait = client.getQueryState(queryKey)?.dataUpdateCount === 0 ? 0 : waitSeconds
      return call(importsApi.get, { params: { job_id: job.job_id }, query: { wait } })
    },
    placeholderData: job,
    enabled: !hasEnded(job),
    refetchInterval: ({ state }) => (state.error || (state.data && hasEnded(state.data)) ? false : 100),
  })

export type Preflight = Output<(typeof preflightApi)['preflight']>

/** Where a document is to go. What is left out follows from the document. */
export interface Destination {
  /** Slug of a project that is there. */
  readonly project: string | null
  /** Name of a project to create. */
  readonly name: string | null
  readonly label: string | null
}

// Results of a source that is no longer on the page are of no use, and may be large.
const whileShown = { staleTime: Infinity, gcTime: 0, retry: false } as const

/** What an import of it would do and what there is to say about it. Nothing is stored. */
export const preflightQuery = (
  tenant: string,
  source: {
    readonly id: string
    readonly chosen: Chosen
    readonly root: string | null
    readonly overlays: readonly ChosenOverlay[]
  },
  { project, name, label }: Destination,
) =>
  queryOptions({
    queryKey: ['preflight', tenant, source.id, source.root, project, name, label, source.overlays.map(({ id }) => id)],
    queryFn: () =>
      callLarge(preflightApi.preflight, {
        params: { tenant_slug: tenant },
        body: {
          source: toSource(source.chosen),
          target: 'project',
          ...(source.root === null ? {} : { root: source.root }),
          ...overlaysOf(source.overlays),
          ...(project === null ? {} : { project }),
          ...(name === null ? {} : { project_name: name }),
          ...(label === null ? {} : { version: label }),
        },
      }),
    ...whileShown,
    placeholderData: (before: Preflight | undefined) => before,
  })

/** A dry run of everything in it, started once. */
export const dryRunQuery = (tenant: string, id: string, chosen: Chosen) =>
  queryOptions({
    queryKey: ['dry-run', tenant, id],
    queryFn: () =>
      callLarge(importsApi.create, {
        params: { tenant_slug: tenant },
        body: { source: toSource(chosen), bulk: true, dry_run: true },
      }),
    ...whileShown,
  })
