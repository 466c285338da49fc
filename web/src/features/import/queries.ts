import { queryOptions } from '@tanstack/react-query'
import { type ImportJob, importsApi } from '../../../../src/api/imports.ts'
import { call } from '../../call.ts'

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
