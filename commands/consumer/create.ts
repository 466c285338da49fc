import { ConsumerRecord } from '../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { projectArgument } from '../../cli/consumer/shared.ts'

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
    description: { type: 'string', placeholder: 'TEXT', summary: 'what it does' },
    owner: { type: 'string', placeholder: 'WHO', summary: 'who is responsible for it' },
    contact: { type: 'string', placeholder: 'WHERE', summary: 'how to contact the owner' },
  },
  dataSchema: ConsumerRecord,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const { handle, description, owner, contact } = options
    const consumer = await call(consumersApi.create, {
      params,
      body: {
        name: args.name,
        ...(handle === undefined ? {} : { handle }),
        ...(description === undefined ? {} : { description }),
        ...(owner === undefined ? {} : { owner }),
        ...(contact === undefined ? {} : { contact }),
      },
    })
    return { data: consumer, text: `Registered ${consumer.name} as ${consumer.handle}\n` }
  },
})
