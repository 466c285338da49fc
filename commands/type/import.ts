import { PrimitiveImportResult } from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { command } from '../../cli/declare.ts'
import { importText, pathArgument, typeGitOptions, typeImportOptions, typeRequest } from '../../cli/type/shared.ts'

export default command({
  summary: 'Import the types of a JSON Schema, an OpenAPI description or a bundle, all or none',
  examples: [
    'svc type import money.schema.json --namespace acme/money',
    'svc type import openapi.yaml --kind openapi --select Order --select Customer',
    'svc type import types.yaml --kind type-def-bundle --resolve Money=rename:OldMoney',
    'svc type import schemas/money.json --repo https://github.com/acme/types.git --ref v2',
    'svc type import schemas/money.json --repository-id 0199f3c8-6a1e-7cc2-9c4a-5d3c1e5b7f10',
  ],
  arguments: [pathArgument],
  options: { ...typeImportOptions, ...typeGitOptions },
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
