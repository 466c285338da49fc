import { ConsumerRecord } from '../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { detailOptions, detailsOf, projectArgument } from '../../cli/consumer/shared.ts'

export default command({
  summary: 'Register a consumer of a project',
  examples: ['svc consumer create petstore "Shop front" --owner web-team'],
  arguments: [projectArgument, { name: 'name', required: true, summary: 'display name' }],
  options: {
    handle: {
      type: 'string',
      placeholder: 'SLUG',
      summary: 'its slug, which cannot be changed later (default: made from the name)',
    },
    ...detailOptions,
  },
  dataSchema: ConsumerRecord,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const { handle } = options
    const consumer = await call(consumersApi.create, {
      params,
      body: {
        name: args.name,
        ...(handle === undefined ? {} : { handle }),
        ...detailsOf(options),
      },
    })
    return { data: consumer, text: `Registered ${consumer.name} as ${consumer.handle}\n` }
  },
})
