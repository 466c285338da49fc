import type { Output } from '../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { countOn, guideAddress, tenantAddress } from '../../cli/style-guide/shared.ts'
import { plural } from '../../src/kernel/plural.ts'

type Relint = Output<typeof styleGuidesApi.relint>

const stillRunning = ({ progress, jobId }: Relint): string =>
  `${progress.done} of ${plural(progress.total, 'version')} so far; "svc style-guide relint --job ${jobId}" looks again.\n`

function renderResult({ result }: Relint): string {
  if (result === null) return ''
  const { linted, changed, skipped } = result
  const left = skipped.map((it) => `${it.project} ${it.version} was not linted: ${it.reason}\n`)
  return `${left.join('')}${plural(linted, 'version')} linted, ${changed} with another grade now.\n`
}

export default command({
  summary: 'Lint stored versions again with the style guides that apply now',
  description:
    'A changed guide applies from the next lint run; this command runs it for stored versions. If the command is interrupted, the job continues.',
  examples: ['svc style-guide relint', 'svc style-guide relint Strict', 'svc style-guide relint --job JOB'],
  arguments: [{ name: 'guide', summary: 'only versions of projects that this guide applies to: its id or name' }],
  options: { job: { type: 'string', placeholder: 'JOB', summary: 'show a job that was started before' } },
  graceful: true,
  async run({ args, options, connection, io, signal }) {
    const { call, params } = await tenantAddress(connection)
    const start = async (): Promise<Relint> => {
      if (args.guide === undefined) return call(styleGuidesApi.startRelint, { params, body: {} })
      const { params: named } = await guideAddress(connection, args.guide)
      return call(styleGuidesApi.startRelint, { params, body: { guideId: named.guide_id } })
    }
    const begun = options.job === undefined ? await start() : null
    const look = (wait: number): Promise<Relint> =>
      call(styleGuidesApi.relint, { params: { ...params, job_id: begun?.jobId ?? options.job ?? '' }, query: { wait } })
    let job = begun ?? (await look(0))
    const count = countOn(io, 'versions')
    while (job.finishedAt === null && !signal.aborted) {
      job = await look(1)
      if (job.finishedAt === null) await count.show(job.progress.done, job.progress.total)
    }
    await count.end()
    if (job.finishedAt === null) {
      io.log.warn(stillRunning(job))
      return { data: job, exitCode: 130 }
    }
    if (job.error !== null) throw new SvcError('relint-failed', { job: job.jobId, reason: job.error.message })
    return { data: job, text: renderResult(job) }
  },
})
