import { ContractResponse, SurfaceSelection } from '../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import type { StaticOf } from '../../src/api/shapes.ts'
import { command } from '../../cli/declare.ts'
import { consumerArgument, contractText, projectArgument, readValue, versionOption } from '../../cli/consumer/shared.ts'

export default command({
  summary: 'Declare what a consumer uses, as a new revision of its contract',
  description:
    'FILE is JSON or YAML: {operations: [{method, path, request: [fields], responses: {"200": [fields]}, parameters: [names]}]}. Fields are data paths as "svc consumer surface" shows them: owner.name, lines[].price. Unknown fields are reported and do not stop the import of the others.',
  examples: [
    'svc consumer declare petstore shop-front uses.yaml',
    'svc consumer declare petstore shop-front - --version 1.2.0',
  ],
  arguments: [
    projectArgument,
    consumerArgument,
    { name: 'file', required: true, summary: 'the selection; - for standard input' },
  ],
  options: { version: versionOption },
  dataSchema: ContractResponse,
  async run(invocation) {
    const { args, options, connection } = invocation
    const selection = await readValue(args.file, invocation)
    const { call, tenant } = await connection()
    const answer = await call(consumersApi.declare, {
      params: { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer },
      query: options.version === undefined ? {} : { version: options.version },
      // The service checks it and names every place that does not fit.
      body: selection as unknown as StaticOf<typeof SurfaceSelection>,
    })
    return { data: answer, text: () => contractText(answer.contract) }
  },
})
