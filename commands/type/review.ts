import { PrimitiveReview } from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { command } from '../../cli/declare.ts'
import {
  pathArgument,
  reviewRequest,
  reviewText,
  typeGitOptions,
  typeImportOptions,
  typeRequest,
} from '../../cli/type/shared.ts'

const { namespace, kind, select, 'include-root': includeRoot } = typeImportOptions

export default command({
  summary: 'Show which types of a source are new, identical or in conflict; nothing is stored',
  examples: [
    'svc type review money.schema.json --namespace acme/money',
    'svc type review schemas/money.json --repo git@github.com:acme/types.git',
  ],
  arguments: [pathArgument],
  options: { namespace, kind, select, 'include-root': includeRoot, ...typeGitOptions },
  dataSchema: PrimitiveReview,
  async run(invocation) {
    const { args, options, connection } = invocation
    const { call, tenant } = await connection()
    const slug = await tenant()
    const body = await typeRequest(args.path, options, {}, { ...invocation, call, tenant: slug })
    const answer = await call(primitivesApi.review, { params: { tenant_slug: slug }, body: reviewRequest(body) })
    return { data: answer, text: () => reviewText(answer) }
  },
})
