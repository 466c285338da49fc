import { ImportJob, importsApi } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { resultOf } from '../importing.ts'

export default command({
  summary: 'Show an import job, or wait for it',
  examples: ['svc import status JOB', 'svc import status JOB --wait'],
  arguments: [{ name: 'job', required: true, summary: 'id of the job' }],
  options: {
    wait: { type: 'boolean', summary: 'wait until the job has ended' },
    'import-timeout': { type: 'number', placeholder: 'SECONDS', min: 0.1, default: 120, summary: 'longest wait' },
  },
  dataSchema: ImportJob,
  async run({ args, options, connection, io, signal }) {
    const { call } = await connection()
    const deadline = Date.now() + options['import-timeout'] * 1000
    const params = { job_id: args.job }
    let job = await call(importsApi.get, { params })
    while (options.wait && job.finished_at === null && Date.now() < deadline) {
      signal.throwIfAborted()
      job = await call(importsApi.get, { params, query: { wait: 1 } })
    }
    if (job.finished_at !== null) return resultOf(job)
    await io.stderr(`The job ${job.job_id} has not ended (${job.phase ?? job.status}).`)
    return { data: job, exitCode: options.wait ? 7 : 0, text: `${job.status}\n` }
  },
})
