import { primitivesApi } from '../../src/api/primitives.ts'
import { command } from '../../cli/declare.ts'
import { dryRunOption, targetOptions } from '../../cli/import/options.ts'
import {
  importText,
  pathArgument,
  reviewRequest,
  reviewText,
  typeGitOptions,
  typeImportOptions,
  typeRequest,
} from '../../cli/type/shared.ts'
import { linkedText, linkTypes } from '../../cli/type/link.ts'
import { SvcError } from '../../src/errors.ts'

export default command({
  summary: 'Import a JSON Schema as types of the registry',
  description:
    'Each definition becomes a type; a schema without definitions is one type. With --dry-run the review is shown and nothing is stored.',
  examples: [
    'svc import json-schema-type money.schema.json --namespace acme/money',
    'svc import json-schema-type order.json --name Order --description "An order" --publish public',
    'svc import json-schema-type https://example.com/types.json --dry-run',
  ],
  arguments: [pathArgument],
  options: {
    ...dryRunOption,
    name: { type: 'string', placeholder: 'NAME', summary: 'name of the type, where the schema is one' },
    description: { type: 'string', placeholder: 'TEXT', summary: 'its description, where there is one type' },
    publish: {
      ...targetOptions.publish,
      summary: 'public: the address of the types needs no credentials; private (default): the organization only',
    },
    visibility: targetOptions.visibility,
    'link-project-property': {
      type: 'boolean',
      summary:
        'in the draft of --project-id and --version-id, replace equal schemas with references to the imported types',
    },
    'project-id': { type: 'string', placeholder: 'PROJECT', summary: 'id or slug of the project to link' },
    'version-id': { type: 'string', placeholder: 'VERSION', summary: 'id or label of the draft to link' },
    namespace: typeImportOptions.namespace,
    ...typeGitOptions,
    resolve: typeImportOptions.resolve,
    'on-conflict': typeImportOptions['on-conflict'],
  },
  isBounded: true,
  async run(invocation) {
    const { args, options, connection } = invocation
    const { publish, visibility, name, description } = options
    if (publish !== undefined && visibility !== undefined && publish !== visibility)
      throw new SvcError('usage', {
        reason: '--publish and --visibility are the same option and have different values.',
      })
    const { 'project-id': project, 'version-id': version, 'link-project-property': links } = options
    if (links && (project === undefined || version === undefined))
      throw new SvcError('usage', {
        reason: '--link-project-property changes a draft: name it with --project-id and --version-id.',
      })
    const { call, tenant } = await connection()
    const slug = await tenant()
    const params = { tenant_slug: slug }
    const details = { name, description, visibility: publish ?? visibility }
    const body = await typeRequest(args.path, options, details, { ...invocation, call, tenant: slug })
    const review = await call(primitivesApi.review, { params, body: reviewRequest(body) })
    if (description !== undefined && review.types.length > 1)
      throw new SvcError('usage', { reason: `--description is for one type; ${args.path} has ${review.types.length}.` })
    if (options['dry-run']) return { data: review, text: () => reviewText(review) }
    const answer = await call(primitivesApi.import, { params, body })
    if (!links || project === undefined || version === undefined)
      return { data: answer, text: () => importText(answer) }
    const imported = new Set(answer.primitives.map(({ ref }) => ref))
    const linked = await linkTypes(call, { tenant: slug, project, version }, imported)
    return { data: answer, summary: { linked }, text: () => importText(answer) + linkedText(linked) }
  },
})
