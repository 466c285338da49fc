import { ConsumerRecord } from '../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { consumerArgument, detailOptions, detailsOf, projectArgument } from '../../cli/consumer/shared.ts'

export default command({
  summary: 'Change the name or details of a consumer; its slug never changes',
  examples: ['svc consumer update petstore shop-front --owner web-team'],
  arguments: [projectArgument, consumerArgument],
  options: {
    name: { type: 'string', placeholder: 'TEXT', summary: 'display name' },
    ...detailOptions,
  },
  dataSchema: ConsumerRecord,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer }
    const { name } = options
    const consumer = await call(consumersApi.update, {
      params,
      body: {
        ...(name === undefined ? {} : { name }),
        ...detailsOf(options),
      },
    })
    return { data: consumer, text: `Changed ${consumer.handle}\n` }
  },
})
