import { ContractResponse } from '../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { contractText, projectArgument, readText, versionOption } from '../../cli/consumer/shared.ts'

export default command({
  summary: 'Declare what a consumer uses with a Pact file (specification 1 to 4)',
  description:
    'Registers the consumer if it does not exist, under the slug of --consumer, or one made from its name in the file.',
  examples: [
    'svc consumer import petstore shop-petstore.json',
    'svc consumer import petstore pact.json --consumer shop-front',
  ],
  arguments: [projectArgument, { name: 'file', required: true, summary: 'the Pact; - for standard input' }],
  options: {
    consumer: { type: 'string', placeholder: 'HANDLE', summary: 'the consumer it belongs to' },
    version: versionOption,
  },
  dataSchema: ContractResponse,
  async run(invocation) {
    const { args, options, connection } = invocation
    const pact = await readText(args.file, invocation)
    const { call, tenant } = await connection()
    const answer = await call(consumersApi.importPact, {
      params: { tenant_slug: await tenant(), project_ref: args.project },
      body: {
        pact,
        ...(options.consumer === undefined ? {} : { consumer_slug: options.consumer }),
        ...(options.version === undefined ? {} : { version: options.version }),
      },
    })
    return { data: answer, text: () => `Consumer ${answer.consumer.handle}\n${contractText(answer.contract)}` }
  },
})
