import { projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { command } from '../../cli/declare.ts'
import { projectFacts } from '../../cli/project/facts.ts'
import { metadataOf, metadataOptions } from '../../cli/project/metadata.ts'

export default command({
  summary: 'Create an empty project (imports create projects too)',
  examples: [
    'svc project create "Payments" --slug payments',
    'svc project create "Payments" --owner payments --tag public',
  ],
  arguments: [{ name: 'name', required: true, summary: 'display name' }],
  options: {
    slug: { type: 'string', placeholder: 'SLUG', summary: 'its slug (default: made from the name)' },
    description: { type: 'string', placeholder: 'TEXT', summary: 'what it is about' },
    ...metadataOptions,
  },
  dataSchema: ProjectRecord,
  async run(invocation) {
    const { args, options, connection } = invocation
    const { facts, body: metadata } = await metadataOf(options, invocation)
    const { description = facts.description } = options
    const { call, tenant } = await connection()
    const body = {
      name: args.name,
      ...(options.slug === undefined ? {} : { slug: options.slug }),
      ...(description === undefined ? {} : { description }),
      ...metadata,
    }
    const project = await call(projectsApi.create, { params: { tenant_slug: await tenant() }, body })
    return { data: project, text: () => projectFacts(project) }
  },
})
