import { CanIDeploy } from '../src/api/consumer-shapes.ts'
import { consumersApi } from '../src/api/consumers.ts'
import { command } from '../cli/declare.ts'
import { exitCodeOfAnswer } from '../cli/combine-exit-codes.ts'
import { consumerArgument, projectArgument } from '../cli/consumer/shared.ts'

export default command({
  summary: 'Check whether a version supports everything a consumer uses: yes, no or unknown',
  description:
    'Exits with 0 for yes and 3 for no or unknown; an unknown answer says what is missing, and --allow-unknown turns it into 0.',
  examples: ['svc can-i-deploy petstore shop-front 1.3.0', 'svc can-i-deploy petstore shop-front --json'],
  arguments: [
    projectArgument,
    consumerArgument,
    { name: 'version', summary: 'label or id (default: the latest published one)' },
  ],
  options: { 'allow-unknown': { type: 'boolean', summary: 'exit with 0 if the answer is unknown' } },
  dataSchema: CanIDeploy,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const verdict = await call(consumersApi.canIDeploy, {
      params: { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer },
      query: args.version === undefined ? {} : { version: args.version },
    })
    const text = (): string => {
      const lines = [`${verdict.answer}: ${verdict.message}`]
      for (const it of verdict.reasons) lines.push(`  ${it.reason}  ${it.message}`)
      for (const it of verdict.changes) lines.push(`  ${it.id}  ${it.message}`)
      for (const it of verdict.warnings) lines.push(`  ${it.code}  ${it.method} ${it.path}: ${it.message}`)
      return `${lines.join('\n')}\n`
    }
    return { data: verdict, exitCode: exitCodeOfAnswer(verdict.answer, options['allow-unknown']), text }
  },
})
