import { ImportJob, importsApi } from '../../src/api/imports.ts'
import { command } from '../../cli/declare.ts'
import { qualityOptions, waitOptions } from '../../cli/import/options.ts'
import { concludeJob } from '../../cli/import/run.ts'

const { wait: _wait, ...following } = waitOptions

export default command({
  summary: 'Show an import job, or wait for it',
  examples: ['svc import status JOB', 'svc import status JOB --wait'],
  arguments: [{ name: 'job', required: true, summary: 'id of the job' }],
  options: {
    wait: { type: 'boolean', summary: 'wait until the job has finished; Ctrl-C stops waiting, the job continues' },
    ...following,
    report: qualityOptions.report,
  },
  dataSchema: ImportJob,
  graceful: true,
  async run({ args, options, connection, io, ...around }) {
    const { call } = await connection()
    const job = await call(importsApi.get, { params: { job_id: args.job } })
    if (job.finished_at !== null || options.wait) return concludeJob(job, null, options, { connection, io, ...around })
    io.log.warn(`The job ${job.job_id} has not ended (${job.phase ?? job.status}).`)
    return { data: job, text: `${job.status}\n` }
  },
})
