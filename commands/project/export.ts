import { Type } from '@sinclair/typebox'
import { stringify } from 'yaml'
import { projectBulkApi } from '../../src/api/project-bulk.ts'
import { projectsApi } from '../../src/api/projects.ts'
import { writeCatalogEntity } from '../../src/backstage/catalog-entity.ts'
import { command } from '../../cli/declare.ts'
import { filterOptions, viewOption } from '../../cli/project/filter.ts'
import { continued, selectionsOf } from '../../cli/project/selection.ts'

export default command({
  summary: 'Write projects as API entities for the catalogue of Backstage (catalog-info.yaml)',
  description:
    'One project, several, or all that match a filter, a document for each. The definition of an entity is the address of the latest document. Backstage requires an owner and a lifecycle: "unknown" and "experimental" where a project has none.',
  examples: [
    'svc project export petstore > catalog-info.yaml',
    'svc project export --owner payments > catalog-info.yaml',
  ],
  arguments: [{ name: 'projects', variadic: true, summary: 'ids or slugs' }],
  options: {
    view: viewOption,
    ...filterOptions,
    all: { type: 'boolean', summary: 'all projects of the organization' },
  },
  dataSchema: Type.Union([
    Type.Object({}, { additionalProperties: true, description: 'The entity, where one project is named.' }),
    Type.Object({ count: Type.Integer(), content: Type.String({ description: 'YAML, a document for each.' }) }),
  ]),
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const selections = await selectionsOf(call, params.tenant_slug, { refs: args.projects, options })
    const [only, ...others] = args.projects
    if (only !== undefined && others.length === 0) {
      const project = await call(projectsApi.get, { params: { ...params, project_ref: only } })
      const latest = project.latest_version
      const format = latest?.format.kind ?? null
      const entity = writeCatalogEntity({ ...project, format, document: latest?.urls.document ?? null })
      return { data: entity, text: () => stringify(entity) }
    }
    const contents: string[] = []
    let count = 0
    for await (const answer of continued(selections, (body) => call(projectBulkApi.export, { params, body }))) {
      count += answer.count
      if (answer.count > 0) contents.push(answer.content)
    }
    const content = contents.join('---\n')
    return { data: { count, content }, text: content }
  },
})
