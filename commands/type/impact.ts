import { PrimitiveImpact, type PrimitiveImpactJob } from '../../src/api/primitive-impact-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { SvcError } from '../../src/errors.ts'
import { readText } from '../../cli/consumer/shared.ts'
import { command } from '../../cli/declare.ts'
import { impactText, schemaIn } from '../../cli/type/impact.ts'
import { findType } from '../../cli/type/shared.ts'

const verdicts = ['unknown', 'breaking'] as const

export default command({
  summary: 'Show which versions, operations and consumers a new schema of a type would break',
  description:
    'Nothing is stored. A schema that allows less breaks versions that receive the type, one that allows more breaks versions that send it; types that use the type count as well. Exit codes: 4 with --fail-on where the verdict is as bad, 7 where the job did not finish in time.',
  examples: [
    'svc type impact acme/money/Money money.schema.json',
    'svc type impact core/Price - --fail-on breaking < price.json',
  ],
  arguments: [
    { name: 'type', required: true, summary: 'reference or id' },
    { name: 'path', required: true, summary: 'the new schema: a file, JSON or YAML, or - for standard input' },
  ],
  options: {
    'fail-on': {
      type: 'string',
      placeholder: 'VERDICT',
      choices: verdicts,
      summary: 'exit 4 where the verdict is breaking, or with unknown also where it is undecided',
    },
  },
  graceful: true,
  dataSchema: PrimitiveImpact,
  async run(invocation) {
    const { args, options, connection, io, signal } = invocation
    const { call, tenant } = await connection()
    const slug = await tenant()
    const schema = schemaIn(await readText(args.path, invocation), args.path)
    const { primitive } = await findType(call, slug, args.type)
    const params = { tenant_slug: slug, primitive_id: primitive.id }
    const asked = await call(primitivesApi.impact, { params, body: { schema } })
    let job: PrimitiveImpactJob | null = 'job_id' in asked ? asked : null
    while (job !== null && job.finished_at === null && !signal.aborted) {
      io.log.debug(`${job.progress.done} of ${job.progress.total} versions compared`)
      job = await call(primitivesApi.impactJob, {
        params: { tenant_slug: slug, job_id: job.job_id },
        query: { wait: 5 },
      })
    }
    const impact = 'job_id' in asked ? (job?.impact ?? null) : asked
    if (impact === null) {
      if (job?.error) throw new SvcError('impact-failed', { job: job.job_id, reason: job.error.message })
      return { data: job, exitCode: 130 }
    }
    const { verdict } = impact
    const fails = verdict === options['fail-on'] || (verdict === 'breaking' && options['fail-on'] === 'unknown')
    return { data: impact, text: () => impactText(impact), exitCode: fails ? 4 : 0 }
  },
})
