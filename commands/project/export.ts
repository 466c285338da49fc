import { Type } from '@sinclair/typebox'
import { stringify } from 'yaml'
import { projectsApi } from '../../src/api/projects.ts'
import { writeCatalogEntity } from '../../src/backstage/catalog-entity.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Write a project as an API entity for the catalogue of Backstage (catalog-info.yaml)',
  description:
    'Its definition is the address of the latest document. Backstage requires an owner and a lifecycle: "unknown" and "experimental" where the project has none.',
  examples: ['svc project export petstore > catalog-info.yaml'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
  options: {},
  dataSchema: Type.Object({}, { additionalProperties: true, description: 'The entity.' }),
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const project = await call(projectsApi.get, { params })
    const latest = project.latest_version
    const entity = writeCatalogEntity({
      ...project,
      format: latest?.format.kind ?? null,
      document: latest?.urls.document ?? null,
    })
    return { data: entity, text: () => stringify(entity) }
  },
})
