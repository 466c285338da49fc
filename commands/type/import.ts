import { PrimitiveImportResult } from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { command } from '../../cli/declare.ts'
import { importText, pathArgument, typeImportOptions, typeRequest } from '../../cli/type/shared.ts'

export default command({
  summary: 'Import the types of a JSON Schema, an OpenAPI description or a bundle, all or none',
  examples: [
    'svc type import money.schema.json --namespace acme/money',
    'svc type import openapi.yaml --kind openapi --select Order --select Customer',
    'svc type import types.yaml --kind type-def-bundle --resolve Money=rename:OldMoney',
  ],
  arguments: [pathArgument],
  options: typeImportOptions,
  dataSchema: PrimitiveImportResult,
  async run(invocation) {
    const { args, options, connection } = invocation
    const { call, tenant } = await connection()
    const slug = await tenant()
    const body = await typeRequest(args.path, options, {}, { ...invocation, call, tenant: slug })
    const answer = await call(primitivesApi.import, { params: { tenant_slug: slug }, body })
    return { data: answer, text: () => importText(answer) }
  },
})
