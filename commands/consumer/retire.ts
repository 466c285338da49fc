import { consumersApi } from '../../src/api/consumers.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'
import { consumerArgument, projectArgument } from '../../cli/consumer/shared.ts'

export default command({
  summary: 'Retire a consumer; its slug becomes free, its revisions are kept',
  description: 'You can restore it for 30 days with "svc bin restore".',
  examples: ['svc consumer retire petstore shop-front'],
  arguments: [projectArgument, consumerArgument],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    await call(consumersApi.retire, {
      params: { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer },
    })
    return { data: { retired: args.consumer }, text: `Retired ${args.consumer}\n${restoreHint(args.consumer)}` }
  },
})
