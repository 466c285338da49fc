import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { consumerArgument, contractText, projectArgument } from '../../cli/consumer/shared.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'Show a consumer and what it uses',
  examples: ['svc consumer show petstore shop-front', 'svc consumer show petstore shop-front --revision 2 --json'],
  arguments: [projectArgument, consumerArgument],
  options: {
    revision: { type: 'integer', placeholder: 'N', min: 1, summary: 'an earlier revision of its contract' },
  },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer }
    const found = await call(consumersApi.get, { params })
    const { consumer, revisions_count: revisions } = found
    const contract =
      options.revision === undefined
        ? found.contract
        : await call(consumersApi.contract, { params, query: { revision: options.revision } })
    return {
      data: { ...found, contract },
      text: () =>
        renderFacts([
          ['Consumer', consumer.handle],
          ['Name', consumer.name],
          ['Id', consumer.id],
          ['About', consumer.description],
          ['Owner', consumer.owner],
          ['Contact', consumer.contact],
          ['Created', shortTime(consumer.created_at)],
          ['Retired', consumer.retired_at === null ? null : shortTime(consumer.retired_at)],
          ['Revisions', String(revisions)],
        ]) + (contract === null ? '\nNever declared what it uses.\n' : `\n${contractText(contract)}`),
    }
  },
})
